-- Stock: what each article has to sell, and what every channel is told of it. Numbers are whole pieces.

-- One row a catalogue whose stock is computed: from what it was computed, and whether sending waits for people.
create table stock_states (
  company text not null, master text not null,
  -- What the numbers were computed from: a saved revision of the settings, a snapshot, the moment whose stock the snapshot says.
  revision int not null default 0, snapshot int, source_at timestamptz, computed_at timestamptz,
  -- Why nothing is sent ('' while nothing speaks against it), since when, and who let it through all the same.
  held text not null default '', held_at timestamptz,
  released_at timestamptz, released_by text, release_reason text,
  -- When what the channels show was last read and compared.
  compared_at timestamptz,
  primary key (company, master));

create table stock_items (
  company text not null, master text not null, item text not null,
  on_hand int not null check (on_hand >= 0),
  -- ok; unreadable: the source says no number; missing: the source no longer has the article.
  source text not null check (source in ('ok', 'unreadable', 'missing')),
  reserved int not null default 0 check (reserved >= 0), buffer int not null default 0 check (buffer >= 0),
  available int not null default 0 check (available >= 0 and available <= on_hand),
  primary key (company, master, item));
create index stock_items_available on stock_items (company, master, available, item);

-- What a channel is to offer. `base`: the last number that it surely had, because it took it or showed it; `shown`: what it shows by
-- now, as it takes off what it sells by itself. Null: never heard.
create table stock_offers (
  company text not null, master text not null, item text not null, channel text not null,
  -- Sent to a marketplace; a channel fed by file reads it from its feed.
  account boolean not null, sku text not null,
  offered int not null check (offered >= 0), changed_at timestamptz not null,
  base int check (base >= 0), base_at timestamptz, shown int check (shown >= 0),
  state text not null default 'new' check (state in ('new', 'accepted', 'refused', 'unknown')), message text not null default '',
  not_before timestamptz not null, tries int not null default 0,
  -- A reading that differed from what was expected, until the orders of that time are known.
  read int, read_at timestamptz, prior int, prior_at timestamptz,
  primary key (company, master, item, channel));
create index stock_offers_due on stock_offers (company, master, channel)
  where account and (shown is distinct from offered or state = 'unknown');
create index stock_offers_read on stock_offers (company, channel, read_at) where account;
create index stock_offers_prior on stock_offers (company, channel) where prior is not null;

-- Articles whose orders changed since their numbers were computed. Rows are only added and taken out, so none is lost between two.
create table stock_dirty (
  company text not null, id bigint generated always as identity, master text not null, item text not null,
  primary key (company, id));

-- Whoever writes a line of an order, by whatever way, makes its article's number old.
create function note_stock() returns trigger language plpgsql as $$
begin
  insert into stock_dirty (company, master, item) select s.company, s.master, new.item
    from stock_states s where s.company = new.company and s.master = new.master;
  return null;
end $$;
create trigger order_lines_stock_new after insert on order_lines for each row when (new.item is not null) execute function note_stock();
create trigger order_lines_stock_changed after update on order_lines for each row
  when (new.item is not null and (old.ordered, old.shipped, old.cancelled, old.item) is distinct from
    (new.ordered, new.shipped, new.cancelled, new.item)) execute function note_stock();

create index shipments_time on shipments (company, shipped_at);

do $$ declare t text; begin
  foreach t in array array['stock_states', 'stock_items', 'stock_offers', 'stock_dirty'] loop
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
