-- Sign-in without better-auth (docs/decisions/0012-sign-in.md). A password is a column of its user; a session, a link and a ticket are
-- found by the hash of their secret, which itself stands nowhere. Sessions of before were kept in clear: everybody signs in once more.
alter table "user" add column password_hash text;
update "user" u set password_hash = a.password from "account" a where a."userId" = u.id and a."providerId" = 'credential';
drop table "account";
drop table "session";
drop table "verification";
drop table "invitation";

-- Members without a second factor can do nothing but set one up.
alter table "organization" add column second_factor_required boolean not null default false;

create table sessions (
  hash text not null primary key, id text not null unique, user_id text not null references "user" (id) on delete cascade,
  created_at timestamptz not null, last_used_at timestamptz not null,
  -- When password or second factor were last given: secrets and members ask for a recent proof.
  proven_at timestamptz not null,
  address text not null, device text not null);
create index sessions_user_idx on sessions (user_id);

create table password_resets (
  hash text not null primary key, user_id text not null references "user" (id) on delete cascade, expires_at timestamptz not null);
create index password_resets_user_idx on password_resets (user_id);

create table invitations (
  id text not null primary key, organization_id text not null references "organization" (id) on delete cascade,
  email text not null, role text not null, hash text not null unique, invited_by text not null,
  created_at timestamptz not null, expires_at timestamptz not null,
  unique (organization_id, email));

-- The secret of an authenticator app, sealed. It counts once its first code was right; no code counts twice.
create table totp_factors (
  user_id text not null primary key references "user" (id) on delete cascade, sealed text not null,
  created_at timestamptz not null, confirmed_at timestamptz, last_step bigint not null default 0);

create table recovery_codes (
  user_id text not null references "user" (id) on delete cascade, hash text not null, primary key (user_id, hash));

create table passkeys (
  id text not null primary key, user_id text not null references "user" (id) on delete cascade, name text not null,
  public_key text not null, counter bigint not null, transports text not null,
  created_at timestamptz not null, last_used_at timestamptz);
create index passkeys_user_idx on passkeys (user_id);

-- A step between two requests: a right password that waits for the second factor, or a question to a passkey. Used once.
create table sign_in_tickets (
  hash text not null primary key, purpose text not null, user_id text references "user" (id) on delete cascade,
  challenge text not null, expires_at timestamptz not null);

-- Failed attempts by what they are counted for; shared by all processes.
create table sign_in_tries (
  key text not null primary key, failures int not null, blocked_until timestamptz, forget_at timestamptz not null);
create index sign_in_tries_forget_idx on sign_in_tries (forget_at);
