-- The alarm on sales: an item that is bought far more often than usual after its price was lowered is held until somebody has looked.

-- What was bought of our offers lately, as far as the alarm needs it: nobody's name or address, no amounts. A quantity of 0 is a line
-- that was cancelled. What tells most stands first in every key (see 0011).
create table item_sales (
  company text not null, account text not null, order_id text not null, line_id text not null, sku text not null,
  quantity int not null check (quantity >= 0), purchased_at timestamptz not null, changed_at timestamptz not null,
  primary key (order_id, line_id, account, company));
create index item_sales_sku on item_sales (sku, account, company, purchased_at);
create index item_sales_first on item_sales (account, company, purchased_at);
create index item_sales_time on item_sales using brin (purchased_at);
-- Orders name our sku.
create index listings_sku on listings (sku, account, company);

-- Items that are held. `price_cents`: the price that was in force; once somebody has released it, it counts as looked at.
create table item_alarms (
  company text not null, id text not null, master text not null, marketplace text not null, item text not null,
  price_cents int not null check (price_cents > 0), details text not null, tripped_at timestamptz not null,
  released_at timestamptz, released_by text, reason text,
  primary key (company, id));
create unique index item_alarms_open on item_alarms (company, master, marketplace, item) where released_at is null;
create index item_alarms_item on item_alarms (item, company, master, marketplace, released_at desc);

do $$ declare t text; begin
  foreach t in array array['item_sales', 'item_alarms'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy company_only on %I
      using (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')
      with check (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')', t);
    if exists (select 1 from pg_roles where rolname = 'kontor_app') then
      execute format('grant select, insert, update, delete on %I to kontor_app', t);
    end if;
  end loop;
end $$;
