-- What is asked every few seconds over all companies finds what it needs by an index, however many rows wait or lie there.

-- When a schedule is to be looked at again: its next start, or when people are to be told that nothing has succeeded, by the program's
-- clock. Rows from before are looked at once.
alter table schedules add column look_at timestamptz;
update schedules set look_at = '1970-01-01T00:00:00Z';
create index schedules_look on schedules (look_at);
create index documents_schedules_saved on documents (created_at) where subject in ('schedule', 'stock_schedule');

create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index jobs_leases on jobs (lease_until) where state = 'running';
create index jobs_delayed on jobs (not_before) where state = 'queued' and not_before is not null;
