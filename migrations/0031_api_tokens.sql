-- Whose a token is, until when it holds and what of its role it may do. Tokens of before have no maker and no end; all of the role: null.
alter table api_tokens add column maker text, add column maker_name text not null default '', add column expires_at timestamptz,
  add column permissions text;
create index api_tokens_maker_idx on api_tokens (company, maker);
