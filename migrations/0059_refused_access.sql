-- What was refused for want of a right, in whatever call, and requests that other sites made a browser send are events of their own kind.
alter table security_events drop constraint security_events_kind_check;
alter table security_events add constraint security_events_kind_check check (kind in ('sign_in', 'sign_out', 'proof', 'session', 'password', 'factor',
  'token', 'member', 'secret', 'download', 'release', 'prices', 'persons', 'settings', 'deletion', 'operation', 'access'));
