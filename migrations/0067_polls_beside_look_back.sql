-- The long look back of a night walks beside the quick poll, which had to wait for its end before. `back_since`: what it reads, null while
-- there is none; `back_cursor`: its next page; `back_turn`: whether the next call is its own where both want one; `back_found`: what it
-- found so far that should have been known. A version that does not know them walks with `cursor` and `reconciling` as before.
alter table order_polls
  add column back_since timestamptz, add column back_cursor text, add column back_failed_since timestamptz,
  add column back_not_before timestamptz, add column back_turn boolean not null default false,
  add column back_found int not null default 0;
