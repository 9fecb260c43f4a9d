-- How many calls may go to a marketplace now, by account and operation: one rate for all processes. Of no use once a bucket has filled up.
create table token_buckets (
  key text not null primary key, tokens double precision not null, granted int not null, at timestamptz not null);
