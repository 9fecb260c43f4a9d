-- Whoever proves once more who he is gets another secret for his session. The former one holds until the new one was seen, and a minute
-- longer, for requests that are on their way (former_until).
alter table sessions add column former_hash text, add column former_until timestamptz;
create index sessions_former_idx on sessions (former_hash) where former_hash is not null;
