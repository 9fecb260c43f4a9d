-- Many numbers that went to a marketplace as one submission, until its end is known. One at a time a channel: two could be worked on in
-- the wrong order.
create table stock_feeds (
  company text not null, channel text not null, master text not null,
  -- sending: the intent before the call; submitted: taken; unknown: the answer was lost.
  state text not null default 'sending' check (state in ('sending', 'submitted', 'unknown')),
  reference text not null default '', sent_at timestamptz not null, look_at timestamptz not null,
  -- What was sent, in its order: a JSON list of item, sku and quantity.
  numbers text not null,
  primary key (company, channel));

-- The number that is part of it: it goes nowhere else meanwhile, unless it fell to 0.
alter table stock_offers add column fed int check (fed >= 0);

do $$ begin
  alter table stock_feeds enable row level security;
  alter table stock_feeds force row level security;
  create policy company_only on stock_feeds
    using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
    with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on stock_feeds to kontor_app;
  end if;
end $$;
