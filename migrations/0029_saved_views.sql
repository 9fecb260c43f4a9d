-- Views of tables under a name: what the address says of filters, order and columns. `scope`: the catalogue of tables that have one, else ''.
-- `fields`: the names of the catalogue's fields that the query means by their ids, since an import may give an id to another field.
create table saved_views (
  company text not null, id text not null, place text not null, scope text not null default '',
  owner text not null, owner_name text not null, name text not null, query text not null, fields text not null default '[]',
  shared boolean not null default false, revision int not null default 1, changed_by text not null,
  created_at timestamptz not null, changed_at timestamptz not null,
  primary key (company, id));
create index saved_views_place on saved_views (company, place, scope);

-- The view that a person's table begins with.
create table saved_view_defaults (
  company text not null, person text not null, place text not null, scope text not null default '', view text not null,
  primary key (company, person, place, scope),
  foreign key (company, view) references saved_views (company, id) on delete cascade);

do $$ declare t text; begin
  foreach t in array array['saved_views', 'saved_view_defaults'] loop
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
