-- Counts the changes of what channels fed by file are offered: a run of an export names the revision that it worked with.
alter table stock_states add feed_revision int not null default 0;
