-- Offers at the speed they come in: one row for an article and one for its minute, each seller inside, instead of a row for each seller.

-- The newest offers of an article: compact JSON, a list for each offer: seller, fulfilment, listing price, shipping, currency, holds the
-- box, number of ratings, positive share, ours, condition where it is not the article's. Room in the page lets a change stay in its place.
create table article_offers (
  company text not null, master text not null, marketplace text not null, asin text not null, condition text not null,
  event_at timestamptz not null, received_at timestamptz not null, message text not null, offers text not null,
  primary key (company, master, marketplace, asin, condition)) with (fillfactor = 60);
insert into article_offers
  select s.company, s.master, s.marketplace, s.asin, s.condition, s.event_at, s.received_at, s.message,
    coalesce((select json_agg(json_build_array(o.seller, o.fulfillment, o.listing_cents, o.shipping_cents, o.currency,
        o.is_buybox::int, o.feedback_count, o.feedback_rating, o.own::int) order by o.landed_cents, o.seller, o.slot)
      from offers o where o.company = s.company and o.master = s.master and o.marketplace = s.marketplace and o.asin = s.asin
        and o.condition = s.condition), '[]')::text
  from offer_states s;

-- What each seller asked in a minute: its lowest landed price, whether it held the box, whether it is ours.
create table offer_minutes (
  company text not null, master text not null, marketplace text not null, asin text not null, condition text not null,
  minute timestamptz not null, sellers jsonb not null,
  primary key (company, master, marketplace, asin, minute, condition));
insert into offer_minutes
  select company, master, marketplace, asin, condition, minute,
    jsonb_object_agg(seller, jsonb_build_array(landed_cents, is_buybox::int, own::int))
  from offer_history group by company, master, marketplace, asin, condition, minute;

drop table offers;
drop table offer_history;
drop table offer_states;

do $$ declare t text; begin
  foreach t in array array['article_offers', 'offer_minutes'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy company_only on %I
      using (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')
      with check (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')', t);
  end loop;
end $$;

-- The same by seller, for whoever asks about sellers. They see what the one who asks may see.
create view offers with (security_invoker = true) as
  select a.company, a.master, a.marketplace, a.asin, a.condition, a.event_at, o.value ->> 0 as seller, o.slot::int as slot,
    o.value ->> 1 as fulfillment, (o.value ->> 2)::bigint as listing_cents, (o.value ->> 3)::bigint as shipping_cents,
    (o.value ->> 2)::bigint + coalesce((o.value ->> 3)::bigint, 0) as landed_cents, o.value ->> 4 as currency,
    o.value ->> 5 = '1' as is_buybox, (o.value ->> 6)::bigint as feedback_count, (o.value ->> 7)::real as feedback_rating,
    o.value ->> 8 = '1' as own
  from article_offers a cross join lateral json_array_elements(a.offers::json) with ordinality as o(value, slot);
create view offer_history with (security_invoker = true) as
  select m.company, m.master, m.marketplace, m.asin, m.condition, m.minute, s.key as seller, (s.value ->> 0)::bigint as landed_cents,
    s.value ->> 1 = '1' as is_buybox, s.value ->> 2 = '1' as own
  from offer_minutes m cross join lateral jsonb_each(m.sellers) s;

do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on article_offers, offer_minutes to kontor_app;
    grant select on offers, offer_history to kontor_app;
  end if;
end $$;

-- Rows that come in the order of time need no more than an index of ranges.
drop index offer_messages_time;
create index offer_messages_time on offer_messages using brin (received_at);
drop index price_decisions_time;
create index price_decisions_time on price_decisions using brin (decided_at);
-- What tells most stands first: without statistics the planner believes any beginning of an index to be as good as the whole key, and
-- would read a whole catalogue for one item.
drop index listings_article;
create index listings_article on listings (asin, company, marketplace);
drop index price_decisions_item;
create index price_decisions_item on price_decisions (item, company, master, id desc);
drop index price_submissions_item;
create index price_submissions_item on price_submissions (item, company, master, marketplace, created_at desc);
-- Breakers and the canary ask for what was made lately, nobody for what was sent when.
drop index price_submissions_time;
create index price_submissions_made on price_submissions (created_at, company, master);
