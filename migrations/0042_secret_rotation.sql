-- The secrets that this installation has had. `mark` tells which one it is and nothing else about it. A former one is kept, sealed under
-- the current one, so that what it marked can still be verified ('' in its seal: it was lost). 'next': its rotation is not finished.
create table installation_keys (
  number int primary key, mark text not null unique, state text not null check (state in ('next', 'current', 'former')),
  sealed text not null default '', since timestamptz not null);
create unique index installation_keys_one on installation_keys (state) where state <> 'former';

-- Where a chain ended when former secret `key` was replaced, and up to where it was pruned by then, marked under the current secret:
-- who has found out the former one cannot change what stands before.
create table decision_anchors (
  company text not null, key int not null, number int not null, hash text not null, pruned int not null default 0, mark text not null,
  primary key (company, key));
create table security_anchors (
  company text not null, key int not null, number int not null, hash text not null, pruned int not null default 0, mark text not null,
  primary key (company, key));
do $$ declare t text; begin
  foreach t in array array['decision_anchors', 'security_anchors'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy company_only on %I
      using (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')
      with check (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')', t);
    if exists (select 1 from pg_roles where rolname = 'kontor_app') then
      execute format('grant select, insert, update, delete on %I to kontor_app', t);
    end if;
  end loop;
end $$;
