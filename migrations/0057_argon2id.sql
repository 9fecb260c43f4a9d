-- Whether a process can read passwords that are stored as Argon2id. One of an older version says nothing: as long as it answers, passwords
-- go on being stored as it knows them.
alter table processes add column reads_argon2id boolean not null default false;
