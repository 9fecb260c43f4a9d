-- Up to which of the old seals this round of looking again has come.
alter table decision_audits add column looked_again int not null default 0;
