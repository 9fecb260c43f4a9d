-- The last transaction that only reported a process as alive. The other processes ignore it when they watch for changes.
alter table processes add column report_xid text;
