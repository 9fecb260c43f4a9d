-- The outbox is asked for the longest waiting of each account several times a second, however much waits. The account comes first: an
-- index that began with the company would look as good as any other to a planner that knows only the company.
drop index price_submissions_open;
create index price_submissions_to_send on price_submissions (account, coalesce(not_before, created_at)) where state = 'new';
create index price_submissions_to_read on price_submissions (account, coalesce(not_before, created_at))
  where state in ('accepted', 'unknown');
create index price_submissions_leased on price_submissions (lease_until) where state = 'sending';
