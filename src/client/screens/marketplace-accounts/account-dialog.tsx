import { Button } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type {
  AccountMarketplace,
  MarketplaceAccount,
  MarketplaceAccountNew,
} from '#shared/marketplace-accounts/schema.ts';
import { call } from '#client/call.ts';
import { useConnectors } from '#client/marketplaces.ts';
import { failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useFormFailure } from '#client/use-failure.ts';
import { AccountFields } from './account-fields.tsx';

export type Catalogue = { masterid: string; name: string };
type AccountDialogProps = {
  /** null: a new account. */
  account: MarketplaceAccount | null;
  masters: readonly Catalogue[];
  onClose: () => void;
};

type First = { masters: readonly Catalogue[]; marketplace: AccountMarketplace | undefined };

const formOf = (account: MarketplaceAccount | null, { masters, marketplace }: First): MarketplaceAccountNew => ({
  name: account?.name ?? marketplace?.name ?? '',
  masterid: account?.masterid ?? masters[0]?.masterid ?? '',
  marketplace: account?.marketplace ?? marketplace?.id ?? '',
  sellerId: account?.sellerId ?? '',
  settings: account?.settings ?? {},
  active: account?.active ?? false,
});

/** Form of an account. Stored secrets are never shown, and an empty field keeps them. */
export function AccountDialog({ account, masters, onClose }: AccountDialogProps) {
  const marketplace = useConnectors().find(({ demo }) => demo === '')?.marketplaces[0];
  const [form, setForm] = useState(() => formOf(account, { masters, marketplace }));
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useFormFailure();
  const { revalidate } = useRevalidator();
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      if (account === null) await call(api.createMarketplaceAccount, { body: form });
      else await call(api.saveMarketplaceAccount, { params: { id: account.id }, body: form });
      showSaved(account === null ? 'Konto angelegt' : 'Gespeichert');
      onClose();
      await revalidate();
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Speichern', error), error });
      setBusy(false);
    }
  };
  const title = account === null ? 'Verkäuferkonto anlegen' : 'Verkäuferkonto bearbeiten';
  return (
    <FormDialog opened dirty={dirty} onClose={onClose} size="lg" title={title}>
      <form className="k-stack" onSubmit={(event) => void save(event)}>
        <ErrorNotice failure={failed?.failure ?? null} />
        <AccountFields
          account={account}
          masters={masters}
          form={form}
          onChange={(changed) => {
            setDirty(true);
            setForm((now) => ({ ...now, ...changed }));
          }}
          errorOf={(field) => fieldError(failed?.error, field)}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy}>
            {account === null ? 'Anlegen' : 'Speichern'}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
