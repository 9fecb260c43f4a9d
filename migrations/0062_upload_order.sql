-- A job that starts only when everything of its subject that was ordered before it has ended: changes that are uploaded one after the other.
alter table jobs add column in_order boolean not null default false;
-- The output that the channel's server got last, and where it was put: what changes may follow it there. Empty for what was uploaded
-- before this was kept: the next run hands over the whole file.
alter table exports add column sent_file int, add column sent_to text;
