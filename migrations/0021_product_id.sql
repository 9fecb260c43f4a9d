-- The product that an offer is of, by its id at the marketplace: `asin` is only Amazon's word for it. Indices follow the column.
alter table listings rename column asin to product_id;
alter table article_offers rename column asin to product_id;
alter table offer_minutes rename column asin to product_id;
alter table price_decisions rename column asin to product_id;
alter view offers rename column asin to product_id;
alter view offer_history rename column asin to product_id;

-- Samples hold our offer as the program names its parts. One that jsonb cannot hold stays as it is and counts as unreadable.
update decision_samples set basis =
    jsonb_set(basis::jsonb #- '{listing,asin}', '{listing,productId}', basis::jsonb #> '{listing,asin}')::text
  where case when basis like '%\\u0000%' then false else basis::jsonb #> '{listing,asin}' is not null end;
