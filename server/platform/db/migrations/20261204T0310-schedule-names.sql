-- Schedules have other names, or are gone because dispatchers look for due rows by themselves. Their queues would stay;
-- on a new database there are none yet.
do $$ begin
  if to_regclass('jobs.queue') is not null then
    perform jobs.delete_queue(name) from jobs.queue
    where name in (
      'authSessions.forgetExpired', 'authSessions.forgetStaleTokens', 'authorizations.forgetOldStarts',
      'billing.forgetOldEvents', 'browserSessions.finishAbandoned', 'browserSessions.forgetOld',
      'customers.forgetUnstartedImports', 'deliveries.forgetOld', 'deliveries.sendDue', 'drafts.forgetEmptied',
      'eventSubscriptions.forgetOld', 'eventSubscriptions.sendDue', 'idempotency.forgetOld', 'inbound.forgetOld',
      'inbound.processDue'
    );
  end if;
end $$;
