-- A line knows when its order was placed: the newest orders of an article that is often sold are found without looking at all of them.
alter table order_lines add column placed_at timestamptz;
update order_lines l set placed_at = o.placed_at from orders o
  where o.company = l.company and o.channel = l.channel and o.order_id = l.order_id;
alter table order_lines alter column placed_at set not null;
drop index order_lines_sku;
create index order_lines_sku on order_lines (company, sku, placed_at desc);
drop index order_lines_item;
create index order_lines_item on order_lines (company, master, item, placed_at desc) where item is not null;

-- Reference rates, the same for everybody: how many millionths of a currency one euro was on a day.
create table exchange_rates (
  currency text not null, day date not null, micros bigint not null check (micros > 0),
  primary key (currency, day));
-- What a company counts by where there is no reference rate.
create table own_exchange_rates (
  company text not null, currency text not null, micros bigint not null check (micros > 0), set_by text not null, set_at timestamptz not null,
  primary key (company, currency));
-- When reference rates were fetched, and since when that fails.
alter table installation_facts drop constraint installation_facts_name_check;
alter table installation_facts add constraint installation_facts_name_check check (name in ('outgoing_hold', 'last_backup', 'exchange_rates'));

do $$ begin
  alter table own_exchange_rates enable row level security;
  alter table own_exchange_rates force row level security;
  create policy company_only on own_exchange_rates
    using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
    with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on exchange_rates, own_exchange_rates to kontor_app;
  end if;
end $$;
