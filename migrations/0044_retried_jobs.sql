-- What became of a job that failed: who had it done once more, when, and which job does it.
alter table jobs add column retried_at timestamptz, add column retried_by text, add column retried_as text;

-- What the operator does to the jobs of companies stands in the security log.
alter table security_events drop constraint security_events_kind_check;
alter table security_events add constraint security_events_kind_check check (kind in ('sign_in', 'sign_out', 'proof', 'session', 'password', 'factor',
  'token', 'member', 'secret', 'download', 'release', 'prices', 'persons', 'settings', 'deletion', 'operation'));
