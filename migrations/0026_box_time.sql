-- At each hour's look: how many of our offers were known of (something was heard within 24 hours), and how many of those held the box.
-- Null: looked before these were counted.
alter table rank_history add column observed int, add column observed_box int;
