-- What each of several processes counts for itself (requests, uploads, forgeries), for the others to add to their own counts. Held for
-- seconds and written every second while somebody asks much, so no log is kept of it: after a crash the table is empty.
create unlogged table shared_counts (
  key text not null, process text not null, count int not null, until timestamptz not null,
  primary key (key, process));
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on shared_counts to kontor_app;
  end if;
end $$;
