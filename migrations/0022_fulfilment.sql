-- Who ships an article: the marketplace or the merchant. AFN, FBA and MFN are Amazon's words for it.
alter table listings rename column fulfillment to fulfilment;
alter table listings alter column fulfilment drop default;
update listings set fulfilment = case when fulfilment in ('AFN', 'FBA') then 'marketplace' else 'merchant' end;
alter table listings alter column fulfilment set default 'merchant',
  add constraint listings_fulfilment check (fulfilment in ('marketplace', 'merchant'));

-- Offers are many, so theirs is a flag: shipped by the marketplace. The second place of each entry, by its text: an entry begins with
-- two strings, and inside a string every quote is escaped.
drop view offers;
update article_offers set offers = regexp_replace(regexp_replace(offers,
    '(\["(?:[^"\\]|\\.)*", ?)"(?:AFN|FBA)"', '\11', 'g'), '(\["(?:[^"\\]|\\.)*", ?)"(?:[^"\\]|\\.)*"', '\10', 'g');
create view offers with (security_invoker = true) as
  select a.company, a.master, a.marketplace, a.product_id, a.condition, a.event_at, o.value ->> 0 as seller, o.slot::int as slot,
    o.value ->> 1 = '1' as by_marketplace, (o.value ->> 2)::bigint as listing_cents, (o.value ->> 3)::bigint as shipping_cents,
    (o.value ->> 2)::bigint + coalesce((o.value ->> 3)::bigint, 0) as landed_cents, o.value ->> 4 as currency,
    o.value ->> 5 = '1' as is_buybox, (o.value ->> 6)::bigint as feedback_count, (o.value ->> 7)::real as feedback_rating,
    o.value ->> 8 = '1' as own
  from article_offers a cross join lateral json_array_elements(a.offers::json) with ordinality as o(value, slot);
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select on offers to kontor_app;
  end if;
end $$;

-- Samples hold our offer and those of others as the program names their parts. One that jsonb cannot hold stays as it is and counts as
-- unreadable. On servers 0021 saw no rows, since it named no company, so the product is named here once more.
create function pg_temp.neutral(offer jsonb) returns jsonb language sql immutable as $$
  select offer - 'fulfillment' || jsonb_build_object('fulfilment',
    case when offer ->> 'fulfillment' in ('AFN', 'FBA') then 'marketplace' else 'merchant' end) $$;
update decision_samples set basis = (
    case when jsonb_typeof(basis::jsonb #> '{offers,list}') = 'array'
      then jsonb_set(basis::jsonb, '{offers,list}', (select coalesce(jsonb_agg(pg_temp.neutral(o.value) order by o.slot), '[]')
        from jsonb_array_elements(basis::jsonb #> '{offers,list}') with ordinality as o(value, slot)))
      else basis::jsonb end
    || jsonb_build_object('listing', pg_temp.neutral(basis::jsonb -> 'listing') - 'asin'
      || jsonb_build_object('productId', coalesce(basis::jsonb #> '{listing,productId}', basis::jsonb #> '{listing,asin}'))))::text
  where case when basis like '%\\u0000%' then false else basis::jsonb #> '{listing,fulfillment}' is not null end;
drop function pg_temp.neutral(jsonb);
