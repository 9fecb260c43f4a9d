-- How often the settings of e-mail were saved, so that two people who save at once notice each other.
alter table mail_settings add column revision int not null default 1 check (revision > 0);
