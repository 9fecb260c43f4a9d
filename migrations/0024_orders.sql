-- Orders. What the marketplace says and what we do meet in the counters of a line, and the checks hold whatever the program does:
-- nothing is shipped, cancelled or returned twice. `channel` is the id of an account at a marketplace, or of an export whose channel
-- is fed by file. `order_id` and `line_id` are the channel's own, opaque text. No name, address or other personal data stands
-- anywhere but in order_persons.

create table orders (
  company text not null, channel text not null, order_id text not null,
  channel_name text not null, source text not null check (source in ('marketplace', 'call', 'file')),
  placed_at timestamptz not null,
  -- The channel's own clock; what is older than it changes nothing.
  changed_at timestamptz not null, seen_at timestamptz not null,
  raw_state text not null default '',
  -- Bought, but not to be shipped yet: reserves stock.
  pending boolean not null default false,
  hold text not null default 'none' check (hold in ('none', 'fraud', 'cancel_requested')),
  fulfilled_by text not null default 'merchant' check (fulfilled_by in ('merchant', 'marketplace')),
  confirmable boolean not null default true,
  ship_by timestamptz, deliver_by timestamptz, delivered_at timestamptz, shipped_at timestamptz, cancelled_at timestamptz,
  currency text not null, country text not null default '', tax_scheme text not null default '', programs text not null default '[]',
  buyer_order_number text not null default '', replaces text not null default '',
  -- Computed from the lines in the same transaction.
  state text not null check (state in ('pending', 'open', 'part_shipped', 'shipped', 'cancelled', 'returned')),
  open_pieces int not null check (open_pieces >= 0), returned_pieces int not null default 0,
  -- Null while a price is missing.
  total_cents bigint, line_count int not null default 0,
  -- Actions whose end nobody knows and people have to resolve.
  unclear int not null default 0 check (unclear >= 0),
  -- Somebody decided to ship although the buyer wants to cancel.
  wish_declined_at timestamptz,
  -- People were told that it must be shipped soon.
  alarmed_at timestamptz,
  -- Running number of parcels of ours: the marketplace knows them by it.
  parcels int not null default 0,
  -- The day by which statistics count it, in the merchant's zone.
  day date not null,
  primary key (company, channel, order_id));
create index orders_placed on orders (company, placed_at desc, channel, order_id);
create index orders_due on orders (company, ship_by, channel, order_id) where open_pieces > 0 and not pending;
create index orders_state on orders (company, state, placed_at desc, channel, order_id);
create index orders_hold on orders (company, placed_at desc) where hold = 'cancel_requested' and open_pieces > 0;
create index orders_returned on orders (company, placed_at desc) where returned_pieces > 0;
create index orders_unclear on orders (company, placed_at desc) where unclear > 0;
create index orders_number on orders (company, order_id text_pattern_ops);
create index orders_buyer_number on orders (company, buyer_order_number) where buyer_order_number <> '';
create index orders_changed on orders (company, channel, changed_at);

create table order_lines (
  company text not null, channel text not null, order_id text not null, line_id text not null,
  position int not null, sku text not null, title text not null default '', product_id text not null default '',
  -- Which item of the catalogue it is, where we know.
  master text, item text,
  ordered int not null check (ordered >= 0), shipped int not null default 0 check (shipped >= 0),
  cancelled int not null default 0 check (cancelled >= 0), returned int not null default 0 check (returned >= 0),
  -- Pieces in actions on their way: promised to a shipment, a cancellation, a return.
  ship_waiting int not null default 0 check (ship_waiting >= 0), cancel_waiting int not null default 0 check (cancel_waiting >= 0),
  return_waiting int not null default 0 check (return_waiting >= 0),
  unit_cents bigint check (unit_cents >= 0), discount_cents bigint not null default 0 check (discount_cents >= 0),
  shipping_cents bigint not null default 0 check (shipping_cents >= 0), refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  tax_rate int, cancel_request text not null default '',
  primary key (company, channel, order_id, line_id),
  check (shipped + ship_waiting + cancelled + cancel_waiting <= ordered), check (returned + return_waiting <= shipped));
create index order_lines_sku on order_lines (company, sku);
create index order_lines_item on order_lines (company, master, item) where item is not null;
create index order_lines_open on order_lines (company, master, item) where ordered > shipped + cancelled;

create table shipments (
  company text not null, id text not null, channel text not null, order_id text not null,
  -- The number by which the channel knows the parcel; '' where it names none.
  reference text not null, carrier text not null, tracking text not null, return_tracking text not null default '',
  -- By which it is searched for: under row-level security no index on upper(tracking) would be used.
  tracking_key text not null generated always as (upper(tracking)) stored,
  shipped_at timestamptz not null, source text not null check (source in ('us', 'channel')),
  state text not null check (state in ('shipped', 'delivered', 'undeliverable', 'cancelled')), action text,
  primary key (company, id));
create index shipments_order on shipments (company, channel, order_id);
create index shipments_tracking on shipments (company, tracking_key) where tracking_key <> '';
create table shipment_lines (
  company text not null, shipment text not null, line_id text not null, quantity int not null check (quantity > 0),
  primary key (company, shipment, line_id));

create table cancellations (
  company text not null, id text not null, channel text not null, order_id text not null, line_id text not null,
  quantity int not null check (quantity > 0), by_party text not null check (by_party in ('us', 'buyer', 'channel')),
  reason text not null default '', at timestamptz not null, action text,
  primary key (company, id));
create index cancellations_order on cancellations (company, channel, order_id);

create table returns (
  company text not null, id text not null, channel text not null, order_id text not null, line_id text not null,
  quantity int not null check (quantity > 0),
  state text not null check (state in ('announced', 'arrived', 'accepted', 'rejected')), reason text not null default '',
  remote_id text not null default '', at timestamptz not null, action text,
  primary key (company, id));
create index returns_order on returns (company, channel, order_id);

create table refunds (
  company text not null, id text not null, channel text not null, order_id text not null, line_id text not null,
  cents bigint not null check (cents > 0), currency text not null, reason text not null default '', at timestamptz not null, action text,
  primary key (company, id));
create index refunds_order on refunds (company, channel, order_id);

-- What we do at the marketplace, at most once each. The intent is committed before the call, the answer after it; what a crash leaves
-- in between is 'unknown' and is read back. 'unclear': people resolve it.
create table order_actions (
  company text not null, id text not null, channel text not null, order_id text not null,
  kind text not null check (kind in ('ship', 'cancel', 'return', 'refund')),
  -- Says which pieces of which lines, counted from the line's first: the same pieces cannot be promised twice.
  action_key text not null, form_key text, body text not null,
  state text not null check (state in ('new', 'sending', 'submitted', 'unknown', 'unclear', 'done', 'refused', 'superseded')),
  reference text not null default '', message text not null default '', issues text not null default '[]',
  sends int not null default 0, reads int not null default 0, fence int not null default 0,
  lease_until timestamptz, not_before timestamptz not null,
  created_by text not null, created_at timestamptz not null, sent_at timestamptz, ended_at timestamptz,
  resolved_by text, resolution text,
  primary key (company, id));
create unique index order_actions_key on order_actions (company, action_key) where state not in ('refused', 'superseded');
create unique index order_actions_form on order_actions (company, form_key) where form_key is not null;
create index order_actions_order on order_actions (company, channel, order_id);
create index order_actions_due on order_actions (not_before) where state in ('new', 'sending', 'submitted', 'unknown');
create index order_actions_unclear on order_actions (company, created_at) where state = 'unclear';

-- What changed and where it came from; never a person.
create table order_events (
  company text not null, channel text not null, order_id text not null, id bigint generated always as identity,
  at timestamptz not null, kind text not null, source text not null check (source in ('message', 'poll', 'call', 'file', 'user', 'action')),
  author text not null default '', details text not null default '{}',
  primary key (company, channel, order_id, id));

-- The only place with personal data: one sealed text a role and version, erased by age.
create table order_persons (
  company text not null, channel text not null, order_id text not null, role text not null check (role in ('buyer', 'delivery', 'invoice')),
  version int not null, sealed text not null, mark text not null, created_at timestamptz not null, erase_after timestamptz not null,
  primary key (company, channel, order_id, role, version));
create index order_persons_age on order_persons (erase_after);
create table person_readings (
  company text not null, id bigint generated always as identity, at timestamptz not null, reader text not null,
  channel text not null, order_id text not null, purpose text not null,
  primary key (company, id));
create index person_readings_order on person_readings (company, channel, order_id);
create index person_readings_time on person_readings (at);

-- Counters of a day, written with the lines in one transaction. `revenue_cents`: pieces left at their price less discount, with tax,
-- without shipping. `unpriced`: pieces whose price the channel has not said yet.
create table order_days (
  company text not null, day date not null, channel text not null, currency text not null,
  orders int not null, pieces bigint not null, revenue_cents bigint not null, cancelled bigint not null, returned bigint not null,
  unpriced bigint not null,
  primary key (company, day, channel, currency));

-- How far each account's orders are read.
create table order_polls (
  company text not null, channel text not null,
  -- What changed after it was not read yet; `cursor` and `as_of` (its first page's clock) while a walk over several pages goes on.
  since timestamptz not null, cursor text, as_of timestamptz, polled_at timestamptz not null, failed_since timestamptz,
  -- The night whose long look back is done or under way; `reconciling`: what it finds should have been known.
  reconciled_on date, reconciling boolean not null default false,
  primary key (company, channel));

-- Orders of accounts that messages named: fetched before they are stored.
create table order_hints (
  company text not null, channel text not null, order_id text not null, since timestamptz not null, not_before timestamptz not null,
  tries int not null default 0,
  primary key (company, channel, order_id));
create index order_hints_due on order_hints (not_before);

do $$ declare t text; begin
  foreach t in array array['orders', 'order_lines', 'shipments', 'shipment_lines', 'cancellations', 'returns', 'refunds', 'order_actions',
    'order_events', 'order_persons', 'person_readings', 'order_days', 'order_polls', 'order_hints'] loop
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
