-- Files of old decisions say what became of their prices since then: what was over by this moment stands in them, so that the table may
-- forget it. Null: an older file, without that.
alter table decision_archives add outcomes_at timestamptz;
