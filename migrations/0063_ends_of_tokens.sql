-- Every API token ends: those of before 0031, which have no maker or no end, 90 days from now, so that there is time to replace them; none
-- later than 366 days from now. Only the installation's own (KONTOR_API_TOKEN) has none: it holds while its variable names it.
update api_tokens set expires_at = least(coalesce(expires_at, 'infinity'), now() + interval '90 days') where maker is null or expires_at is null;
update api_tokens set expires_at = now() + interval '366 days' where expires_at > now() + interval '366 days';
alter table api_tokens add constraint api_tokens_end check (expires_at is not null or maker is null);
