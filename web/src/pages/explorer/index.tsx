import { Page } from '../../parts/page.tsx';

export function ExplorerPage() {
  return <Page title="Explorer">{null}</Page>;
}

export function TransactionPage() {
  return <Page title="Transaction">{null}</Page>;
}

export function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
