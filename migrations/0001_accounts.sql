-- Users and sessions as better-auth reads them (its names, hence camel case); a company is an organization.
create table "user" (
  "id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" boolean not null,
  "image" text, "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz default current_timestamp not null);
create table "session" (
  "id" text not null primary key, "expiresAt" timestamptz not null, "token" text not null unique,
  "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz not null, "ipAddress" text, "userAgent" text,
  "userId" text not null references "user" ("id") on delete cascade, "activeOrganizationId" text);
create table "account" (
  "id" text not null primary key, "accountId" text not null, "providerId" text not null,
  "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text,
  "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, "scope" text, "password" text,
  "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz not null);
create table "verification" (
  "id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" timestamptz not null,
  "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz default current_timestamp not null);
create table "organization" (
  "id" text not null primary key, "name" text not null, "slug" text not null unique, "logo" text, "createdAt" timestamptz not null,
  "metadata" text);
create table "member" (
  "id" text not null primary key, "organizationId" text not null references "organization" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade, "role" text not null, "createdAt" timestamptz not null);
create table "invitation" (
  "id" text not null primary key, "organizationId" text not null references "organization" ("id") on delete cascade,
  "email" text not null, "role" text, "status" text not null, "expiresAt" timestamptz not null,
  "createdAt" timestamptz default current_timestamp not null, "inviterId" text not null references "user" ("id") on delete cascade);
create index "session_userId_idx" on "session" ("userId");
create index "account_userId_idx" on "account" ("userId");
create index "verification_identifier_idx" on "verification" ("identifier");
create unique index "member_company_user_idx" on "member" ("organizationId", "userId");
create index "member_userId_idx" on "member" ("userId");
create index "invitation_organizationId_idx" on "invitation" ("organizationId");
create index "invitation_email_idx" on "invitation" ("email");
