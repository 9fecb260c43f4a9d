-- Limits come from the master's rules and mappings too, not from a snapshot alone: who confirms that they moved strongly confirms the
-- version that was looked at. What was confirmed before is asked once more.
alter table repricer_states drop column limits_confirmed;
alter table repricer_states add column limits_confirmed text not null default '';
