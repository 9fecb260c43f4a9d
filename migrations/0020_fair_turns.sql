-- When a job was last taken: of companies that wait for the same slots, the one whose last turn is longest ago goes first.
alter table jobs add column taken_at timestamptz;
create index jobs_taken on jobs (company, kind, taken_at) where taken_at is not null;
-- What waits, by company and kind, so that finding whose turn it is does not look at every waiting job.
create index jobs_waiting on jobs (company, kind, created_at) where state = 'queued';
