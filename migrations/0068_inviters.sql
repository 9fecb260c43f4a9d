-- Who invited: an invitation ends with its maker, as tokens do. Null: the installation's own token, or a version that kept the name alone.
alter table invitations add column inviter text;
update invitations i set inviter = (select min(m."userId") from "member" m join "user" u on u."id" = m."userId"
  where m."organizationId" = i.organization_id and u."name" = i.invited_by);
