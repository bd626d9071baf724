-- Since when the DNS of the domain names this account: on an installation of several companies a help centre answers on a
-- host only then. Hosts that answered before keep answering.
alter table help_centers add column domain_verified_at timestamptz(3);
update help_centers set domain_verified_at = now() where domain is not null;

-- Entering a host claims nothing, so several accounts may have entered the same one.
alter table help_centers drop constraint help_centers_domain_key;
create unique index help_centers_domain on help_centers (domain) where domain_verified_at is not null;
