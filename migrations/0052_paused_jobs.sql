-- The operator keeps new jobs from being taken, for maintenance or before an update; those that run come to their end.
alter table installation_facts drop constraint installation_facts_name_check;
alter table installation_facts add constraint installation_facts_name_check
  check (name in ('outgoing_hold', 'last_backup', 'exchange_rates', 'files_place', 'jobs_paused'));
