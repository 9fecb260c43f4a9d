-- Repricing. Money is integer cents; a price that can be sent is NOT NULL and stands between its bounds by CHECK, so that neither a
-- missing nor a wrong limit can become a price, whatever the program does.

create table repricer_states (
  company text not null, master text not null, active boolean not null, dry_run boolean not null, stopped boolean not null,
  -- Number of the newest snapshot whose strongly moved limits somebody has looked at.
  limits_confirmed int not null default 0,
  author text not null, changed_at timestamptz not null default now(),
  primary key (company, master));

-- The emergency stop of a company; company '*' is the operator's, for everybody.
create table price_stops (
  company text primary key, reason text not null, since timestamptz not null default now());

-- Where a master's items are sold. `connector` names the program's part that speaks with it; `settings` is that part's own JSON, its
-- secrets stand in `secrets` under 'account:<id>'.
create table marketplace_accounts (
  company text not null, id text not null, master text not null, connector text not null, marketplace text not null,
  seller_id text not null, currency text not null default 'EUR', name text not null, settings text not null default '{}',
  active boolean not null default true, created_at timestamptz not null default now(),
  primary key (company, id));
create index marketplace_accounts_master on marketplace_accounts (company, master);

-- Our own offers: which item of the catalogue is which article of the marketplace, and what it costs there as far as we know.
-- `price_cents` is the last accepted price, `live_cents` the last one that the marketplace itself showed.
create table listings (
  company text not null, master text not null, marketplace text not null, item text not null,
  account text not null, sku text not null, asin text not null,
  condition text not null default 'new', fulfillment text not null default 'MFN', currency text not null default 'EUR',
  shipping_cents int check (shipping_cents >= 0), price_cents int check (price_cents > 0), price_at timestamptz,
  live_cents int check (live_cents > 0), live_at timestamptz, stock int,
  offers_asked_at timestamptz,
  primary key (company, master, marketplace, item));
create index listings_article on listings (company, marketplace, asin, master);

-- How new the offers of an article are: what comes later but is older is dropped.
create table offer_states (
  company text not null, master text not null, marketplace text not null, asin text not null, condition text not null,
  event_at timestamptz not null, received_at timestamptz not null, message text not null,
  primary key (company, master, marketplace, asin, condition));

-- The newest offers. A seller may have several of one article (shipped by himself, by the marketplace): `slot` counts them.
create table offers (
  company text not null, master text not null, marketplace text not null, asin text not null, condition text not null,
  seller text not null, slot int not null, fulfillment text not null, listing_cents bigint not null, shipping_cents bigint,
  landed_cents bigint not null, currency text not null, is_buybox boolean not null, feedback_count bigint, feedback_rating real,
  own boolean not null,
  primary key (company, master, marketplace, asin, condition, seller, slot));
-- The seller comes early: an index that began like the key would tempt the planner to read a whole marketplace for one article.
create index offers_seller on offers (company, seller, master, marketplace);

-- What each seller asked, by the minute: its lowest landed price in that minute.
create table offer_history (
  company text not null, master text not null, marketplace text not null, asin text not null, condition text not null,
  minute timestamptz not null, seller text not null, landed_cents bigint not null, is_buybox boolean not null, own boolean not null,
  primary key (company, master, marketplace, asin, condition, minute, seller));

-- Messages that were taken in, so that one delivered twice counts once.
create table offer_messages (
  company text not null, id text not null, received_at timestamptz not null,
  primary key (company, id));
create index offer_messages_time on offer_messages (received_at);

-- Items whose price is to be decided again.
create table reprice_queue (
  company text not null, master text not null, marketplace text not null, item text not null,
  since timestamptz not null, due_at timestamptz not null, cause text not null, lease_until timestamptz, fence int not null default 0,
  primary key (company, master, marketplace, item));
create index reprice_queue_due on reprice_queue (due_at);

-- Every decision with all it was made from; never changed, never deleted by the program (the trigger sees to it).
create table price_decisions (
  company text not null, id bigint generated always as identity, master text not null, marketplace text not null, item text not null,
  asin text not null, decided_at timestamptz not null, cause text not null,
  rule text, rule_revision int not null, snapshot int not null, limits_version text not null, offers_at timestamptz,
  min_cents int, max_cents int, standard_cents int, current_cents int, price_cents int, stock int,
  reason text not null, target_seller text, body text not null,
  verdict text not null check (verdict in ('submit', 'step', 'hold', 'unchanged', 'none', 'dry_run')), held text not null default '',
  primary key (company, id),
  check (price_cents is null or (min_cents is not null and max_cents is not null and standard_cents is not null
    and price_cents between min_cents and max_cents and min_cents > 0)));
create index price_decisions_item on price_decisions (company, master, marketplace, item, id desc);
create index price_decisions_time on price_decisions (company, master, decided_at);
create function refuse_change() returns trigger language plpgsql as $$
  begin raise exception 'decisions are kept as they were made'; end $$;
create trigger price_decisions_kept before update or delete on price_decisions for each row execute function refuse_change();

-- The only way of a price to a marketplace. 'unknown' (ungeklärt): sent, but no answer came; it is read back before anything else is sent.
create table price_submissions (
  company text not null, id text not null, master text not null, marketplace text not null, item text not null,
  account text not null, sku text not null, decision bigint not null, rule text not null, limits_version text not null,
  currency text not null, from_cents int check (from_cents > 0),
  price_cents int not null, min_cents int not null check (min_cents > 0), max_cents int not null check (max_cents <= 99999999),
  state text not null check (state in ('new', 'sending', 'accepted', 'live', 'invalid', 'unknown', 'held')),
  reached_min boolean not null, stock int, held text not null default '', message text, issues text not null default '[]', reference text,
  sends int not null default 0, fence int not null default 0, lease_until timestamptz, not_before timestamptz,
  created_at timestamptz not null, sent_at timestamptz, accepted_at timestamptz, ended_at timestamptz,
  primary key (company, id),
  check (price_cents between min_cents and max_cents));
create unique index price_submissions_in_flight on price_submissions (company, master, marketplace, item)
  where state in ('sending', 'accepted', 'unknown');
create unique index price_submissions_waiting on price_submissions (company, master, marketplace, item) where state = 'new';
create index price_submissions_item on price_submissions (company, master, marketplace, item, created_at desc);
create index price_submissions_time on price_submissions (company, master, sent_at);
create index price_submissions_open on price_submissions (not_before) where state in ('new', 'sending', 'accepted', 'unknown');

-- What tripped and holds everything of a master until somebody releases it.
create table price_breakers (
  company text not null, id text not null, master text not null, kind text not null, details text not null,
  tripped_at timestamptz not null, released_at timestamptz, released_by text, reason text,
  primary key (company, id));
create unique index price_breakers_open on price_breakers (company, master, kind) where released_at is null;

-- How often each thing happened on a day: reasons of decisions, states of submissions.
create table repricer_counters (
  company text not null, master text not null, marketplace text not null, day date not null, kind text not null, n bigint not null,
  primary key (company, master, marketplace, day, kind));

do $$ declare t text; begin
  foreach t in array array['repricer_states', 'marketplace_accounts', 'listings', 'offer_states', 'offers', 'offer_history',
    'offer_messages', 'reprice_queue', 'price_decisions', 'price_submissions', 'price_breakers', 'repricer_counters'] loop
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

-- Everybody sees the operator's stop, nobody but the program itself writes it.
alter table price_stops enable row level security;
alter table price_stops force row level security;
create policy company_sees on price_stops for select
  using (company in (current_setting('kontor.company', true), '*') or current_setting('kontor.company', true) = '*');
create policy company_writes on price_stops for all
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on price_stops to kontor_app;
  end if;
end $$;
