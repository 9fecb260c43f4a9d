-- What lies in the trash goes for good at this moment instead of thirty days after it was deleted: somebody asked for it.
alter table masters add purge_at timestamptz;
alter table exports add purge_at timestamptz;
