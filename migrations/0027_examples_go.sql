-- Decisions about prices and their seals are never deleted, but for the examples of a first start: they are about a marketplace in this
-- program, and nobody will ever ask about them. Whoever removes them says so in his transaction, and the company must have been filled
-- with examples (the job that told their story is there).
create function examples_go(whose text) returns boolean language sql stable as $$
  select coalesce(current_setting('kontor.examples_go', true), '') = whose
    and exists (select 1 from jobs where company = whose and subject = 'demo' and kind = 'demo-story') $$;
create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and examples_go(old.company) then return old; end if;
    raise exception 'decisions are kept as they were made';
  end $$;
create or replace function refuse_seal_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and examples_go(old.company) then return old; end if;
    raise exception 'seals are kept as they were made';
  end $$;
