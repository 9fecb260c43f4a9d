-- Figures of the repricer's dashboard. Reading two million offers for a table of ranks would take seconds; whoever takes offers in
-- has them at hand, and writes the offer's row anyway when the marketplace shows its price. What is known before this is filled by the
-- next message about each article.

-- How our offer stands among those known, as of the newest message. `own_rank`: 1 + sellers who ask less with shipping; null: ours is
-- not among them. `rival`: the cheapest competitor. `rivals`: every competitor as a digit (1: holds the box) and its id, with U+001F
-- between them: shorter than an array, and looked through as one text.
alter table listings
  add column own_rank int, add column own_box boolean not null default false, add column shown_shipping_cents bigint,
  add column rival text, add column rival_cents bigint, add column rival_shipping_cents bigint,
  add column rival_box boolean not null default false, add column rival_rank int,
  add column rivals text not null default '', add column messages int not null default 0,
  -- Of when the newest offers are: what is to be asked for is found without looking at the offers.
  add column offers_at timestamptz;
update listings l set offers_at = s.event_at from article_offers s where s.company = l.company and s.master = l.master
  and s.marketplace = l.marketplace and s.asin = l.asin and s.condition = l.condition;
-- Every message changes the row: with room in its page that touches no index.
alter table listings set (fillfactor = 70);

-- How many of a seller's offers stood where, once in an hour: 'Verlauf' of ranks and box.
create table rank_history (
  company text not null, master text not null, seller text not null, hour timestamptz not null,
  rank_1 int not null, rank_2 int not null, rank_3 int not null, box int not null,
  primary key (company, master, seller, hour));

-- What people want to remember of a day.
create table notes (
  company text not null, id bigint generated always as identity, day date not null, note text not null,
  author text not null, created_at timestamptz not null,
  primary key (company, id));
create index notes_day on notes (company, day desc, id desc);

do $$ declare t text; begin
  foreach t in array array['rank_history', 'notes'] loop
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
