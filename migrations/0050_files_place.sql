-- Where the files of the installation lie is written down at its first start: a process with other settings would find none.
alter table installation_facts drop constraint installation_facts_name_check;
alter table installation_facts add constraint installation_facts_name_check check (name in ('outgoing_hold', 'last_backup', 'exchange_rates', 'files_place'));
