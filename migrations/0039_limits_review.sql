-- Why limits wait for a look although they moved little: who may not set prices changed what they come from. '': nothing waits.
alter table repricer_states add column limits_review text not null default '';
