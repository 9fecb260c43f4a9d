-- Under which snapshot, rules and mappings, by which version of the program, all prices of a catalogue were last asked to be decided.
-- A process that starts decides anew only where something is another now. `field_values`: identifies what the rules read of the items.
create table noticed_catalogues (
  company text not null, master text not null, version text not null, field_values text, program text not null,
  primary key (company, master), foreign key (company, master) references masters on delete cascade);
alter table noticed_catalogues enable row level security;
alter table noticed_catalogues force row level security;
create policy company_only on noticed_catalogues
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on noticed_catalogues to kontor_app;
  end if;
end $$;
