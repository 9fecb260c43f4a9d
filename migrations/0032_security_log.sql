-- Who did what that concerns security. Each event holds the mark of the one before it, made with a key that is no part of the database.
create table security_events (
  company text not null, number int not null, at timestamptz not null,
  kind text not null check (kind in ('sign_in', 'sign_out', 'proof', 'session', 'password', 'factor', 'token', 'member', 'secret', 'download', 'release',
    'prices', 'persons', 'settings', 'deletion')),
  result text not null check (result in ('done', 'begun', 'refused', 'failed')),
  actor text not null, actor_id text not null, actor_by text not null check (actor_by in ('session', 'token', 'nobody')),
  address text not null, what text not null, subject text not null,
  hash text not null, primary key (company, number));
create index security_events_at on security_events (company, at);

-- Where the chain ends. Whoever adds an event locks this row first, so numbers have no gaps.
create table security_log_heads (
  company text not null primary key, number int not null, hash text not null,
  verified_at timestamptz, verified_number int not null default 0, broken text not null default '');

-- Up to where old events were removed: number and mark of the last of them, from which the chain goes on, sealed as events are.
create table security_checkpoints (
  company text not null, number int not null, hash text not null, made_at timestamptz not null, seal text not null,
  primary key (company, number));

-- Tries to sign in with addresses that nobody has here, counted for the whole installation: what was typed is stored nowhere.
create table unknown_sign_ins (day date not null primary key, tries int not null);

create function refuse_security_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and tg_table_name = 'security_events' then
      if exists (select 1 from security_checkpoints c where c.company = old.company and c.number >= old.number) then return old; end if;
    end if;
    raise exception 'the security log is kept as it was written';
  end $$;
create trigger security_events_kept before update or delete on security_events for each row execute function refuse_security_change();
create trigger security_checkpoints_kept before update or delete on security_checkpoints for each row execute function refuse_security_change();
create function refuse_security_truncate() returns trigger language plpgsql as $$
  begin raise exception 'the security log is kept as it was written'; end $$;
create trigger security_events_not_emptied before truncate on security_events for each statement execute function refuse_security_truncate();
create trigger security_checkpoints_not_emptied before truncate on security_checkpoints for each statement execute function refuse_security_truncate();

do $$ declare t text; begin
  foreach t in array array['security_events', 'security_log_heads', 'security_checkpoints'] loop
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
