import { type ReactNode, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import {
  AccountPage,
  AuditPage,
  BotDemoPage,
  ChatWidgetPage,
  CompaniesPage,
  CompanyPage,
  ConversationsPage,
  CustomerPage,
  CustomersPage,
  DemoPage,
  EditCompanyPage,
  Frame,
  GettingStartedPage,
  InboxesPage,
  InboxPage,
  IssuePage,
  IssuesPage,
  LogOutPage,
  NewCompanyPage,
  NotesPage,
  NotThereYet,
  PrimaryChatWidgetPage,
  ProfilePage,
  RegistrationPage,
  RequestResetPage,
  ResetPage,
  ResetRequestedPage,
  Sandbox,
  SavedRepliesPage,
  SharedConversationPage,
  SignInPage,
  TagPage,
  TagsPage,
  TeamPage,
  UnsubscribePage,
  VerifyPage,
  WidgetPage,
} from './layout/pages.ts'
import { SCREENS_TO_COME } from './layout/screens.ts'
import { isBillingEnabled } from './platform/environment.ts'
import type { Tokens } from './platform/session/session.ts'

/** Every address of the dashboard. Without tokens only the pages that stand alone can be reached. */
export function DashboardRoutes({ tokens }: { tokens: Tokens | null }) {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/login" element={<SignInPage />} />
        <Route path="/register/:invite?" element={<RegistrationPage />} />
        <Route path="/logout" element={<LogOutPage />} />
        <Route path="/widget/:inbox_id" element={<WidgetPage />} />
        <Route path="/demo" element={<DemoPage />} />
        <Route path="/bot/demo" element={<BotDemoPage />} />
        <Route path="/verify" element={<VerifyPage />} />
        <Route path="/reset-password" element={<RequestResetPage />} />
        <Route path="/reset-password-requested" element={<ResetRequestedPage />} />
        <Route path="/reset" element={<ResetPage />} />
        <Route path="/unsubscribe" element={<UnsubscribePage />} />
        <Route path="/sandbox" element={<Sandbox />} />
        <Route path="/share" element={<SharedConversationPage />} />
        {tokens && <Route element={<Frame key={tokens.user_id} tokens={tokens} />}>{mainRoutes()}</Route>}
        <Route path="*" element={tokens ? <Navigate to="/conversations" replace /> : <ToSignIn />} />
      </Routes>
    </Suspense>
  )
}

function mainRoutes(): ReactNode {
  return (
    <>
      <Route path="/conversations/:bucket/:conversation_id?" element={<ConversationsPage />} />
      <Route path="/inboxes/:inbox_id/conversations/:conversation_id?" element={<ConversationsPage />} />
      <Route path="/inboxes/:inbox_id/chat-widget" element={<ChatWidgetPage />} />
      <Route path="/inboxes/:inbox_id" element={<InboxPage />} />
      <Route path="/inboxes" element={<InboxesPage />} />
      <Route path="/settings/chat-widget" element={<PrimaryChatWidgetPage />} />
      <Route path="/getting-started" element={<GettingStartedPage />} />
      <Route path="/settings/team" element={<TeamPage />} />
      <Route path="/settings/profile" element={<ProfilePage />} />
      <Route path="/settings/audit" element={<AuditPage />} />
      <Route path="/settings/*" element={<AccountPage />} />
      <Route path="/settings/saved-replies" element={<SavedRepliesPage />} />
      <Route path="/customers" element={<CustomersPage />} />
      {['/customers/:id', '/v1/customers/:id'].map((path) => (
        <Route key={path} path={path} element={<CustomerPage />} />
      ))}
      <Route path="/companies" element={<CompaniesPage />} />
      <Route path="/companies/new" element={<NewCompanyPage />} />
      <Route path="/companies/:id" element={<CompanyPage />} />
      <Route path="/companies/:id/edit" element={<EditCompanyPage />} />
      <Route path="/tags" element={<TagsPage />} />
      <Route path="/tags/:id" element={<TagPage />} />
      <Route path="/issues" element={<IssuesPage />} />
      <Route path="/issues/:id" element={<IssuePage />} />
      <Route path="/notes" element={<NotesPage />} />
      {isBillingEnabled() && <Route path="/settings/billing" element={<NotThereYet screen="billing" />} />}
      {SCREENS_TO_COME.map(([path, screen]) => (
        <Route key={path} path={path} element={<NotThereYet screen={screen} />} />
      ))}
      <Route path="/account/overview" element={<Navigate to="/settings/overview" replace />} />
      <Route path="/account/getting-started" element={<Navigate to="/settings/chat-widget" replace />} />
      <Route path="/account/*" element={<ToSettings />} />
      <Route path="/billing" element={<Navigate to="/settings/billing" replace />} />
      <Route path="/saved-replies" element={<Navigate to="/settings/saved-replies" replace />} />
      {['/', '/conversations/*', '/inboxes/*'].map((path) => (
        <Route key={path} path={path} element={<Navigate to="/conversations/all" replace />} />
      ))}
    </>
  )
}

/** The old address of the settings. */
function ToSettings() {
  const { '*': rest } = useParams()
  return <Navigate to={`/settings/${rest ?? ''}`} replace />
}

/** Where they wanted to go is kept for after signing in. */
function ToSignIn() {
  const { pathname, search } = useLocation()
  return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search)}`} replace />
}
