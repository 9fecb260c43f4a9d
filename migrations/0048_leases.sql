-- Who of several processes does what is to be done by one alone, until when: whoever does not renew it in time has lost it.
create table leases (name text not null primary key, holder text not null, until timestamptz not null);
-- The trace (traceparent of the W3C) of the request that ordered a job: its lines in the log carry the same number.
alter table jobs add column trace text;
