import type { Listening } from './listening.ts'

/**
 * PostgreSQL's settings for a small machine that also runs our server. They are handed over on every start, so a new
 * version of ours brings its own and nobody edits postgresql.conf.
 */
const settings: Record<string, string> = {
  // Acknowledged means on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Kept at `replica` so that pg_basebackup can copy a running database.
  wal_level: 'replica',
  max_wal_senders: '2',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '10min',
  max_connections: '60',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  // Our queries are short: compiling them or spreading them over workers costs more than it gains.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '4',
  max_logical_replication_workers: '0',
  // No extra I/O processes: idle, everything together should stay small.
  io_method: 'sync',
  // Stops a query whose client has disconnected.
  client_connection_check_interval: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Refused statements are reported to the caller; logging them here would only repeat people's words.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

/** The command line of the postmaster. `overrides` are for tests, which may give up safety for speed. */
export function postmasterArguments(cluster: string, at: Listening, overrides: Record<string, string>): string[] {
  const access: Record<string, string> = at.password
    ? { listen_addresses: at.host, unix_socket_directories: '' }
    : { listen_addresses: '', unix_socket_directories: quoteFolder(at.host), unix_socket_permissions: '0700' }
  const all = { ...settings, ...access, port: String(at.port), ...overrides }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** The setting is a list with commas in it. */
function quoteFolder(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`
}
