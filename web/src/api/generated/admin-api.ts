// Generated from the OpenAPI document by `npm run portal:types`. A test fails when it is not up to date.

/** What each operation takes and answers, by its method and path. */
export interface AdminOperations {
  "POST /admin/v1/session": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1SessionRequest"];
    answer: AdminSchemas["PostAdminV1SessionResponse"];
  };
  "GET /admin/v1/session": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1SessionResponse"];
  };
  "DELETE /admin/v1/session": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "DELETE /admin/v1/sessions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["DeleteAdminV1SessionsResponse"];
  };
  "GET /admin/v1/plans": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1PlansResponse"];
  };
  "PATCH /admin/v1/plans/{plan}": {
    path: {
      plan: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PatchAdminV1PlansPlanRequest"];
    answer: AdminSchemas["GetAdminV1PlansResponseWithoutKeyItemUsual"];
  };
  "DELETE /admin/v1/plans/{plan}": {
    path: {
      plan: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1PlansResponseWithoutKeyItemUsual"];
  };
  "GET /admin/v1/organisations": {
    path: Record<never, never>;
    query: {
      limit?: number;
      cursor?: string;
      use?: boolean;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsResponse"];
  };
  "POST /admin/v1/organisations": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsResponse"];
  };
  "GET /admin/v1/organisations/{organisation}": {
    path: {
      organisation: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["PostAdminV1OrganisationsResponse"];
  };
  "PATCH /admin/v1/organisations/{organisation}": {
    path: {
      organisation: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PatchAdminV1OrganisationsOrganisationRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsResponse"];
  };
  "DELETE /admin/v1/organisations/{organisation}": {
    path: {
      organisation: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/organisations/{organisation}/teams": {
    path: {
      organisation: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsResponse"];
  };
  "POST /admin/v1/organisations/{organisation}/teams": {
    path: {
      organisation: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsResponse"];
  };
  "DELETE /admin/v1/organisations/{organisation}/teams/{team}": {
    path: {
      organisation: string;
      team: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/organisations/{organisation}/teams/{team}/members": {
    path: {
      organisation: string;
      team: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamMembersResponse"];
  };
  "PUT /admin/v1/organisations/{organisation}/teams/{team}/members/{member}": {
    path: {
      organisation: string;
      team: string;
      member: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "DELETE /admin/v1/organisations/{organisation}/teams/{team}/members/{member}": {
    path: {
      organisation: string;
      team: string;
      member: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/organisations/{organisation}/teams/{team}/keys": {
    path: {
      organisation: string;
      team: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamKeysResponse"];
  };
  "POST /admin/v1/organisations/{organisation}/teams/{team}/keys": {
    path: {
      organisation: string;
      team: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamKeysRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamKeysResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/keys": {
    path: {
      organisation: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationKeysResponse"];
  };
  "PATCH /admin/v1/organisations/{organisation}/teams/{team}/keys/{key}": {
    path: {
      organisation: string;
      team: string;
      key: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PatchAdminV1OrganisationsOrganisationTeamsTeamKeysKeyRequest"];
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamKeysResponseKeysItem"];
  };
  "DELETE /admin/v1/organisations/{organisation}/teams/{team}/keys/{key}": {
    path: {
      organisation: string;
      team: string;
      key: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/audit": {
    path: Record<never, never>;
    query: {
      limit?: number;
      cursor?: string;
      actor?: string;
      action?: string;
      subject?: string;
      since?: number;
      until?: number;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1AuditResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/audit": {
    path: {
      organisation: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      actor?: string;
      action?: string;
      subject?: string;
      since?: number;
      until?: number;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1AuditResponse"];
  };
  "GET /admin/v1/me": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1MeResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/members": {
    path: {
      organisation: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationMembersResponse"];
  };
  "PATCH /admin/v1/organisations/{organisation}/members/{member}": {
    path: {
      organisation: string;
      member: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PatchAdminV1OrganisationsOrganisationMembersMemberRequest"];
    answer: AdminSchemas["PatchAdminV1OrganisationsOrganisationMembersMemberResponse"];
  };
  "DELETE /admin/v1/organisations/{organisation}/members/{member}": {
    path: {
      organisation: string;
      member: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "POST /admin/v1/organisations/{organisation}/members/{member}/token": {
    path: {
      organisation: string;
      member: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationMembersMemberTokenRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsOrganisationMembersMemberTokenResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/invitations": {
    path: {
      organisation: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationInvitationsResponse"];
  };
  "POST /admin/v1/organisations/{organisation}/invitations": {
    path: {
      organisation: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationInvitationsRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsOrganisationInvitationsResponse"];
  };
  "DELETE /admin/v1/organisations/{organisation}/invitations/{name}": {
    path: {
      organisation: string;
      name: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "POST /admin/v1/invitations/accept": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1InvitationsAcceptRequest"];
    answer: AdminSchemas["PostAdminV1InvitationsAcceptResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/teams/{team}/rules": {
    path: {
      organisation: string;
      team: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponse"];
  };
  "POST /admin/v1/organisations/{organisation}/teams/{team}/rules": {
    path: {
      organisation: string;
      team: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamRulesRequest"];
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItem"];
  };
  "PATCH /admin/v1/organisations/{organisation}/teams/{team}/rules/{rule}": {
    path: {
      organisation: string;
      team: string;
      rule: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PatchAdminV1OrganisationsOrganisationTeamsTeamRulesRuleRequest"];
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItem"];
  };
  "DELETE /admin/v1/organisations/{organisation}/teams/{team}/rules/{rule}": {
    path: {
      organisation: string;
      team: string;
      rule: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "POST /admin/v1/organisations/{organisation}/teams/{team}/firewall-test": {
    path: {
      organisation: string;
      team: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallTestRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallTestResponse"];
  };
  "GET /admin/v1/makers": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1MakersResponse"];
  };
  "POST /admin/v1/makers": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1MakersRequest"];
    answer: AdminSchemas["PostAdminV1MakersResponse"];
  };
  "GET /admin/v1/makers/{maker}": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1MakersMakerResponse"];
  };
  "PATCH /admin/v1/makers/{maker}": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PatchAdminV1MakersMakerRequest"];
    answer: AdminSchemas["GetAdminV1MakersResponseMakersItem"];
  };
  "DELETE /admin/v1/makers/{maker}": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/makers/{maker}/books": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["MakerBooks"];
  };
  "POST /admin/v1/makers/{maker}/enable": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1MakersResponseMakersItem"];
  };
  "POST /admin/v1/makers/{maker}/disable": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1MakersResponseMakersItem"];
  };
  "POST /admin/v1/makers/{maker}/rotate": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["PostAdminV1MakersResponse"];
  };
  "POST /admin/v1/makers/{maker}/reinstate": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1MakersResponseMakersItem"];
  };
  "GET /admin/v1/makers/{maker}/statistics": {
    path: {
      maker: string;
    };
    query: {
      since?: number;
      until?: number;
    };
    body: undefined;
    answer: AdminSchemas["MakerStatistics"];
  };
  "GET /admin/v1/tokens": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1TokensResponse"];
  };
  "PUT /admin/v1/tokens/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PutAdminV1TokensMintRequest"];
    answer: AdminSchemas["GetAdminV1TokensResponseDecisionsItem"];
  };
  "DELETE /admin/v1/tokens/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1TokensResponseDecisionsItem"];
  };
  "GET /admin/v1/token-requests": {
    path: Record<never, never>;
    query: {
      state?: "paying" | "pending" | "approved" | "rejected" | "failed";
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1TokenRequestsResponse"];
  };
  "POST /admin/v1/token-requests/{signature}/approve": {
    path: {
      signature: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1TokenRequestsResponseRequestsItem"];
  };
  "POST /admin/v1/token-requests/{signature}/reject": {
    path: {
      signature: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1TokenRequestsResponseRequestsItem"];
  };
  "GET /admin/v1/prediction-events": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1PredictionEventsResponse"];
  };
  "POST /admin/v1/prediction-events": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1PredictionEventsRequest"];
    answer: AdminSchemas["GetAdminV1PredictionEventsResponseEventsItem"];
  };
  "POST /admin/v1/prediction-events/{event}/cancel": {
    path: {
      event: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1PredictionEventsResponseEventsItem"];
  };
  "POST /admin/v1/prediction-markets/{market}/resolve": {
    path: {
      market: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1PredictionMarketsMarketResolveRequest"];
    answer: AdminSchemas["GetAdminV1PredictionEventsResponseEventsItem"];
  };
  "POST /admin/v1/prediction-events/{event}/markets/{market}/cancel": {
    path: {
      event: string;
      market: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1PredictionEventsResponseEventsItem"];
  };
  "POST /admin/v1/prediction-events/{event}/score": {
    path: {
      event: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1PredictionEventsEventScoreRequest"];
    answer: AdminSchemas["PostAdminV1PredictionEventsEventScoreResponse"];
  };
  "GET /admin/v1/landings": {
    path: Record<never, never>;
    query: {
      outcome?: "confirmed" | "failed" | "expired" | "rejected" | "unknown" | "under-way";
      organisation?: string;
      since?: number;
      until?: number;
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1LandingsResponse"];
  };
  "GET /admin/v1/landings/{name}": {
    path: {
      name: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1LandingsNameResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/landings/{name}": {
    path: {
      organisation: string;
      name: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1LandingsNameResponse"];
  };
  "GET /admin/v1/orders": {
    path: Record<never, never>;
    query: {
      taker?: string;
      maker?: string;
      since?: number;
      until?: number;
      signature?: string;
      limit?: number;
      cursor?: string;
      router?: string;
      outcome?: "never-executed" | "open" | "succeeded" | "failed" | "unknown";
      code?: number;
      organisation?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrdersResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/orders": {
    path: {
      organisation: string;
    };
    query: {
      taker?: string;
      maker?: string;
      since?: number;
      until?: number;
      signature?: string;
      limit?: number;
      cursor?: string;
      router?: string;
      outcome?: "never-executed" | "open" | "succeeded" | "failed" | "unknown";
      code?: number;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrdersResponse"];
  };
  "GET /admin/v1/orders/{order}": {
    path: {
      order: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrdersOrderResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/orders/{order}": {
    path: {
      organisation: string;
      order: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationOrdersOrderResponse"];
  };
  "GET /admin/v1/fills": {
    path: Record<never, never>;
    query: {
      taker?: string;
      maker?: string;
      since?: number;
      until?: number;
      signature?: string;
      limit?: number;
      cursor?: string;
      state?: "offered" | "confirmed" | "failed" | "expired" | "rejected";
      organisation?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1FillsResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/fills": {
    path: {
      organisation: string;
    };
    query: {
      taker?: string;
      maker?: string;
      since?: number;
      until?: number;
      signature?: string;
      limit?: number;
      cursor?: string;
      state?: "offered" | "confirmed" | "failed" | "expired" | "rejected";
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1FillsResponse"];
  };
  "GET /admin/v1/waiting-orders": {
    path: Record<never, never>;
    query: {
      wallet?: string;
      mint?: string;
      state?: "depositing" | "open" | "executing" | "fill_success" | "ready_to_cancel" | "withdrawing" | "cancelled" | "expired" | "deposit_failed";
      waitsFor?: "gas" | "price" | "band" | "route" | "refused" | "unpriced" | "unavailable";
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1WaitingOrdersResponse"];
  };
  "GET /admin/v1/waiting-orders/{order}": {
    path: {
      order: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1WaitingOrdersOrderResponse"];
  };
  "GET /admin/v1/vaults": {
    path: Record<never, never>;
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1VaultsResponse"];
  };
  "POST /admin/v1/vaults/rotate": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["PostAdminV1VaultsRotateResponse"];
  };
  "GET /admin/v1/log": {
    path: Record<never, never>;
    query: {
      requestId?: string;
      status?: string;
      method?: string;
      path?: string;
      group?: string;
      decision?: "admitted" | "unauthorised" | "no-access" | "firewall-deny" | "firewall-limit" | "plan-limit" | "unavailable";
      rule?: string;
      matched?: string;
      outcome?: "bypass" | "deny" | "limit" | "allow" | "log";
      client?: string;
      country?: string;
      endpoint?: string;
      order?: string;
      since?: number;
      until?: number;
      limit?: number;
      cursor?: string;
      organisation?: string;
      team?: string;
      key?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1LogResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/log": {
    path: {
      organisation: string;
    };
    query: {
      requestId?: string;
      status?: string;
      method?: string;
      path?: string;
      group?: string;
      decision?: "admitted" | "unauthorised" | "no-access" | "firewall-deny" | "firewall-limit" | "plan-limit" | "unavailable";
      rule?: string;
      matched?: string;
      outcome?: "bypass" | "deny" | "limit" | "allow" | "log";
      client?: string;
      country?: string;
      endpoint?: string;
      order?: string;
      since?: number;
      until?: number;
      limit?: number;
      cursor?: string;
      team?: string;
      key?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1LogResponse"];
  };
  "GET /admin/v1/log/live": {
    path: Record<never, never>;
    query: {
      requestId?: string;
      status?: string;
      method?: string;
      path?: string;
      group?: string;
      decision?: "admitted" | "unauthorised" | "no-access" | "firewall-deny" | "firewall-limit" | "plan-limit" | "unavailable";
      rule?: string;
      matched?: string;
      outcome?: "bypass" | "deny" | "limit" | "allow" | "log";
      client?: string;
      country?: string;
      endpoint?: string;
      order?: string;
      organisation?: string;
      team?: string;
      key?: string;
    };
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/organisations/{organisation}/log/live": {
    path: {
      organisation: string;
    };
    query: {
      requestId?: string;
      status?: string;
      method?: string;
      path?: string;
      group?: string;
      decision?: "admitted" | "unauthorised" | "no-access" | "firewall-deny" | "firewall-limit" | "plan-limit" | "unavailable";
      rule?: string;
      matched?: string;
      outcome?: "bypass" | "deny" | "limit" | "allow" | "log";
      client?: string;
      country?: string;
      endpoint?: string;
      order?: string;
      team?: string;
      key?: string;
    };
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/organisations/{organisation}/usage": {
    path: {
      organisation: string;
    };
    query: {
      since?: number;
      until?: number;
      by?: "day" | "key" | "endpoint";
      team?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1OrganisationsOrganisationUsageResponse"];
  };
  "GET /admin/v1/analytics": {
    path: Record<never, never>;
    query: {
      since?: number;
      until?: number;
      per?: "minute" | "quarter-hour" | "hour" | "6-hours" | "12-hours" | "day";
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1AnalyticsResponse"];
  };
  "GET /admin/v1/organisations/{organisation}/analytics": {
    path: {
      organisation: string;
    };
    query: {
      since?: number;
      until?: number;
      per?: "minute" | "quarter-hour" | "hour" | "6-hours" | "12-hours" | "day";
      team?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1AnalyticsResponse"];
  };
  "POST /admin/v1/organisations/{organisation}/teams/{team}/firewall-preview": {
    path: {
      organisation: string;
      team: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewRequest"];
    answer: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponse"];
  };
  "POST /admin/v1/backup": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /admin/v1/backups": {
    path: Record<never, never>;
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: AdminSchemas["GetAdminV1BackupsResponse"];
  };
  "GET /admin/v1/operation": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["Operation"];
  };
  "GET /admin/v1/alerts": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1AlertsResponse"];
  };
  "GET /admin/v1/alerts/{alert}/history": {
    path: {
      alert: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1AlertsAlertHistoryResponse"];
  };
  "GET /admin/v1/settings": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1SettingsResponse"];
  };
  "GET /healthz": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["Health"];
  };
  "GET /health": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["Health"];
  };
  "GET /readyz": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["Readiness"];
  };
  "GET /status": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["Readiness"];
  };
  "GET /admin/v1/network": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkResponse"];
  };
  "POST /admin/v1/network/faucet": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkFaucetRequest"];
    answer: AdminSchemas["PostAdminV1NetworkFaucetResponse"];
  };
  "POST /admin/v1/network/clock": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkClockRequest"];
    answer: AdminSchemas["PostAdminV1NetworkClockResponse"];
  };
  "POST /admin/v1/network/accounts": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkAccountsRequest"];
    answer: AdminSchemas["PostAdminV1NetworkAccountsResponse"];
  };
  "GET /admin/v1/network/snapshots": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkSnapshotsResponse"];
  };
  "POST /admin/v1/network/snapshots": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkSnapshotsRequest"];
    answer: AdminSchemas["GetAdminV1NetworkSnapshotsResponse"];
  };
  "POST /admin/v1/network/snapshots/{name}/restore": {
    path: {
      name: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkSnapshotsResponse"];
  };
  "DELETE /admin/v1/network/snapshots/{name}": {
    path: {
      name: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkSnapshotsResponse"];
  };
  "GET /admin/v1/network/snapshots/{name}/content": {
    path: {
      name: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkSnapshotsNameContentResponse"];
  };
  "PUT /admin/v1/network/snapshots/{name}/content": {
    path: {
      name: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["GetAdminV1NetworkSnapshotsNameContentResponse"];
    answer: AdminSchemas["GetAdminV1NetworkSnapshotsResponse"];
  };
  "GET /admin/v1/network/faults": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsResponse"];
  };
  "PUT /admin/v1/network/faults": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PutAdminV1NetworkFaultsRequest"];
    answer: AdminSchemas["GetAdminV1NetworkFaultsResponse"];
  };
  "GET /admin/v1/network/faults/next": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsNextResponse"];
  };
  "POST /admin/v1/network/faults/next": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkFaultsNextRequest"];
    answer: AdminSchemas["GetAdminV1NetworkFaultsNextResponse"];
  };
  "DELETE /admin/v1/network/faults/next": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsNextResponse"];
  };
  "GET /admin/v1/network/faults/rpc": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsRpcResponse"];
  };
  "POST /admin/v1/network/faults/rpc": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkFaultsRpcRequest"];
    answer: AdminSchemas["GetAdminV1NetworkFaultsRpcResponse"];
  };
  "DELETE /admin/v1/network/faults/rpc": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsRpcResponse"];
  };
  "GET /admin/v1/network/prices": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkPricesResponse"];
  };
  "PUT /admin/v1/network/prices/{symbol}": {
    path: {
      symbol: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PutAdminV1NetworkPricesSymbolRequest"];
    answer: AdminSchemas["GetAdminV1NetworkPricesResponsePricesItem"];
  };
  "PUT /admin/v1/network/prices/{symbol}/walk": {
    path: {
      symbol: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PutAdminV1NetworkPricesSymbolWalkRequest"];
    answer: AdminSchemas["GetAdminV1NetworkPricesResponsePricesItem"];
  };
  "DELETE /admin/v1/network/prices/{symbol}/walk": {
    path: {
      symbol: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkPricesResponsePricesItem"];
  };
  "GET /admin/v1/network/price-follower": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkPriceFollowerResponse"];
  };
  "PUT /admin/v1/network/price-follower": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PutAdminV1NetworkPriceFollowerRequest"];
    answer: AdminSchemas["PutAdminV1NetworkPriceFollowerResponse"];
  };
  "GET /admin/v1/network/faults/requests": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsRequestsResponse"];
  };
  "POST /admin/v1/network/faults/requests": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkFaultsRequestsRequest"];
    answer: AdminSchemas["GetAdminV1NetworkFaultsRequestsResponse"];
  };
  "DELETE /admin/v1/network/faults/requests": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkFaultsRequestsResponse"];
  };
  "POST /admin/v1/network/reset": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["PostAdminV1NetworkClockResponse"];
  };
  "GET /admin/v1/network/wallets": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkWalletsResponse"];
  };
  "POST /admin/v1/network/wallets/{name}/sign": {
    path: {
      name: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkWalletsNameSignRequest"];
    answer: AdminSchemas["PostAdminV1NetworkWalletsNameSignResponse"];
  };
  "POST /admin/v1/network/makers/{maker}/check": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: AdminSchemas["PostAdminV1NetworkMakersMakerCheckRequest"];
    answer: AdminSchemas["PostAdminV1NetworkMakersMakerCheckResponse"];
  };
  "GET /admin/v1/network/makers/{maker}/check": {
    path: {
      maker: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["PostAdminV1NetworkMakersMakerCheckResponse"];
  };
  "GET /admin/v1/network/makers/checks": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: AdminSchemas["GetAdminV1NetworkMakersChecksResponse"];
  };
}

/** The objects of requests and answers, by their names in the document. */
export interface AdminSchemas {
  DeleteAdminV1SessionsResponse: {
    /** How many sessions there were. */
    ended: number;
  };
  FillsInState: {
    state: string;
    fills: number;
  };
  GatewayError: {
    /** The status. */
    code: number;
    /** A sentence, or a text that clients compare. */
    message: string;
    /** A sentence with the values of the request, for such a text. */
    details?: string;
  };
  GetAdminV1AlertsAlertHistoryResponse: {
    name: string;
    curves: readonly AdminSchemas["GetAdminV1AlertsAlertHistoryResponseCurvesItem"][];
  };
  GetAdminV1AlertsAlertHistoryResponseCurvesItem: {
    labels: Readonly<Record<string, string>>;
    /** The oldest first. */
    points: readonly AdminSchemas["GetAdminV1AlertsAlertHistoryResponseCurvesItemPointsItem"][];
  };
  GetAdminV1AlertsAlertHistoryResponseCurvesItemPointsItem: {
    /** Unix milliseconds. */
    at: number;
    /** Null: it is not a finite number. */
    value: number | null;
  };
  GetAdminV1AlertsResponse: {
    /** The file of the rules. */
    source: string;
    /** Milliseconds between samples. */
    every: number;
    /** Unix milliseconds. When the rules were last evaluated; null: not yet. */
    evaluatedAt: number | null;
    /** Unix milliseconds. When the first sample was taken; null: none yet. */
    sampledSince: number | null;
    counts: AdminSchemas["GetAdminV1AlertsResponseCounts"];
    memory: AdminSchemas["GetAdminV1AlertsResponseMemory"];
    /** In the order of the file. */
    alerts: readonly AdminSchemas["GetAdminV1AlertsResponseAlertsItem"][];
  };
  GetAdminV1AlertsResponseAlertsItem: {
    name: string;
    severity: string | null;
    /** firing: the expression has held for long enough. pending: it holds, but not for long enough yet. quiet: it does not hold. unknown: it cannot be evaluated. */
    state: "firing" | "pending" | "quiet" | "unknown";
    /** Unix milliseconds. Since when it has this state. */
    since: number | null;
    /** In PromQL. */
    expression: string;
    /** Milliseconds for which the expression must hold before the alert fires. */
    for: number;
    /** The longest time before now that the expression reads, in milliseconds; 0: the latest sample only. */
    range: number;
    /** Unix milliseconds. When the instance has, or had, samples of the whole range. */
    wholeFrom: number | null;
    /** What the expression compares its series with; null: no number. */
    threshold: AdminSchemas["GetAdminV1AlertsResponseAlertsItemThreshold"] | null;
    /** The page of this instance’s documentation that says what to do, such as /docs/runbooks#sluicedown, or a URL. */
    runbook: string | null;
    /** Why it is unknown; null: it is known. */
    reason: AdminSchemas["GetAdminV1AlertsResponseAlertsItemReason"] | null;
    /** Unix milliseconds. When it last stopped firing; null: not since the start. */
    lastFiredAt: number | null;
    /** What fires or is pending, by labels; firing first. */
    active: readonly AdminSchemas["GetAdminV1AlertsResponseAlertsItemActiveItem"][];
    /** How many there are, with those that are not listed. */
    activeCount: number;
    /** The latest values that are compared, those nearest to firing first. */
    readings: readonly AdminSchemas["GetAdminV1AlertsResponseAlertsItemReadingsItem"][];
  };
  GetAdminV1AlertsResponseAlertsItemActiveItem: {
    labels: Readonly<Record<string, string>>;
    /** Null: it is not a finite number. */
    value: number | null;
    state: "firing" | "pending";
    /** Unix milliseconds since which the expression holds. */
    activeAt: number;
    /** Unix milliseconds. Since when it fires; null: it is pending. */
    firingAt: number | null;
    /** What is wrong, in a sentence. */
    summary: string;
  };
  GetAdminV1AlertsResponseAlertsItemReadingsItem: {
    labels: Readonly<Record<string, string>>;
    /** Null: it is not a finite number. */
    value: number | null;
  };
  GetAdminV1AlertsResponseAlertsItemReason: {
    /** history: there are not enough samples yet. metric: this instance has no such metrics, because it does not run what they are about. series: there are more series than the instance remembers. refused: the expression cannot be evaluated. */
    kind: "history" | "metric" | "series" | "refused";
    /** The reason as a sentence. */
    text: string;
    /** Unix milliseconds. From when on the alert is known; null: that is not known. */
    from: number | null;
  };
  GetAdminV1AlertsResponseAlertsItemThreshold: {
    operator: string;
    value: number;
  };
  GetAdminV1AlertsResponseCounts: {
    firing: number;
    pending: number;
    quiet: number;
    unknown: number;
  };
  GetAdminV1AlertsResponseMemory: {
    /** Series that the instance remembers. */
    series: number;
    /** About how many bytes they take. */
    bytes: number;
  };
  GetAdminV1AnalyticsResponse: {
    /** How many minutes an element of the series stands for. */
    bucketMinutes: number;
    /** What is counted: `since` is the start of an element, `until` the end of a minute or hour. */
    range: AdminSchemas["GetAdminV1AnalyticsResponseRange"];
    /** The range of the same length before, which ends where the range begins. */
    previousRange: AdminSchemas["GetAdminV1AnalyticsResponseRange"];
    /** The first hour of which counts of this instance are kept; null: there are none. A range before it is not known. */
    countedSince: number | null;
    total: AdminSchemas["GetAdminV1AnalyticsResponseTotal"];
    /** The total of the range of the same length before. */
    previous: AdminSchemas["GetAdminV1AnalyticsResponseTotal"];
    change: AdminSchemas["GetAdminV1AnalyticsResponseChange"];
    /** In order; a time without requests has no element. */
    series: readonly AdminSchemas["GetAdminV1AnalyticsResponseSeriesItem"][];
    /** The range before in the same way. Its elements begin as long after its beginning as those of the series do after theirs. */
    previousSeries: readonly AdminSchemas["GetAdminV1AnalyticsResponseSeriesItem"][];
    /** The paths with the most requests. A path is the one of the route: `/positions/:address` stands for all addresses. */
    endpoints: readonly AdminSchemas["GetAdminV1AnalyticsResponseEndpointsItem"][];
    keys: readonly AdminSchemas["GetAdminV1AnalyticsResponseKeysItem"][];
    statuses: readonly AdminSchemas["GetAdminV1AnalyticsResponseStatusesItem"][];
    /** Those with the most requests; null: the country is unknown. */
    countries: readonly AdminSchemas["GetAdminV1AnalyticsResponseCountriesItem"][];
    firewall: readonly AdminSchemas["GetAdminV1AnalyticsResponseFirewallItem"][];
    firewallSeries: readonly AdminSchemas["GetAdminV1AnalyticsResponseFirewallSeriesItem"][];
  };
  GetAdminV1AnalyticsResponseChange: {
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    requests: number | null;
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    errors: number | null;
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    errorShare: number | null;
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    credits: number | null;
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    p50: number | null;
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    p95: number | null;
    /** Against the range before: 0.25 is a quarter more. Null: there was nothing before. */
    p99: number | null;
  };
  GetAdminV1AnalyticsResponseCountriesItem: {
    country: string | null;
    requests: number;
  };
  GetAdminV1AnalyticsResponseEndpointsItem: {
    endpoint: string;
    requests: number;
    credits: number;
    clientErrors: number;
    serverErrors: number;
    /** Latency of admitted requests in microseconds, within 1/32 of the exact value; null: there were none. */
    latency: AdminSchemas["GetAdminV1AnalyticsResponseTotalLatency"];
  };
  GetAdminV1AnalyticsResponseFirewallItem: {
    organisation: string;
    team: string;
    rule: string;
    /** `matched`, or the outcome if the rule decided: bypass, deny, limit, allow, log. */
    outcome: string;
    requests: number;
  };
  GetAdminV1AnalyticsResponseFirewallSeriesItem: {
    /** Unix milliseconds. */
    at: number;
    outcome: string;
    requests: number;
  };
  GetAdminV1AnalyticsResponseKeysItem: {
    /** Null without a valid key. */
    organisation: string | null;
    team: string | null;
    /** Empty: requests without a valid key. */
    key: string;
    requests: number;
    credits: number;
    clientErrors: number;
    serverErrors: number;
  };
  GetAdminV1AnalyticsResponseRange: {
    /** Unix milliseconds. */
    since: number;
    /** Unix milliseconds. */
    until: number;
  };
  GetAdminV1AnalyticsResponseSeriesItem: {
    /** Unix milliseconds. */
    at: number;
    requests: number;
    credits: number;
    clientErrors: number;
    serverErrors: number;
    /** Latency of admitted requests in microseconds, within 1/32 of the exact value; null: there were none. */
    latency: AdminSchemas["GetAdminV1AnalyticsResponseTotalLatency"];
  };
  GetAdminV1AnalyticsResponseStatusesItem: {
    status: number;
    requests: number;
  };
  GetAdminV1AnalyticsResponseTotal: {
    requests: number;
    credits: number;
    clientErrors: number;
    serverErrors: number;
    errorShare: number | null;
    /** Latency of admitted requests in microseconds, within 1/32 of the exact value; null: there were none. */
    latency: AdminSchemas["GetAdminV1AnalyticsResponseTotalLatency"];
  };
  GetAdminV1AnalyticsResponseTotalLatency: {
    p50: number | null;
    p90: number | null;
    p95: number | null;
    p99: number | null;
  };
  GetAdminV1AuditResponse: {
    entries: readonly AdminSchemas["GetAdminV1AuditResponseEntriesItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1AuditResponseEntriesItem: {
    /** Unix milliseconds. */
    at: number;
    actor: string;
    origin: string;
    action: string;
    subject: string;
    before: AdminSchemas["GetAdminV1AuditResponseEntriesItemBefore"] | null;
    after: AdminSchemas["GetAdminV1AuditResponseEntriesItemBefore"] | null;
  };
  GetAdminV1AuditResponseEntriesItemBefore: Record<string, unknown>;
  GetAdminV1BackupsResponse: {
    /** The backup that this instance is making; null: none. Only one is made at a time. */
    running: AdminSchemas["GetAdminV1BackupsResponseRunning"] | null;
    /** The folder that a backup copies. */
    dataFolder: string;
    /** Whether the folder is removed when the instance ends. */
    ephemeral: boolean;
    /** Whether a backup holds the database. It does not when `database-url` is set: back that one up with `pg_dump`. */
    database: boolean;
    /** Whether this instance has the master key of vaults, which no backup holds and without which their keys are lost. */
    masterKey: boolean;
    /** The backups that instances of this database have made, newest first. */
    backups: readonly AdminSchemas["GetAdminV1BackupsResponseBackupsItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1BackupsResponseBackupsItem: {
    /** Unix milliseconds at which it ended. */
    at: number;
    /** Who asked for it, as in the audit log. */
    by: string;
    /** The address from which it was asked for. */
    from: string;
    /** `made`: the whole archive was handed to the connection. Whether it arrived, only its receiver knows. */
    outcome: "made" | "failed";
    /** Bytes of the archive that were sent. */
    bytes: number;
    durationMs: number;
    /** How many files are in it; null: it failed before that was known. */
    files: number | null;
    /** The files of the databases in it. None when they are on a server: see `database`. */
    databases: readonly string[];
    /** Why it failed; null: it did not. */
    failure: string | null;
  };
  GetAdminV1BackupsResponseRunning: {
    /** Who asked for it, as in the audit log. */
    by: string;
    /** The address from which it was asked for. */
    from: string;
    /** Unix milliseconds. */
    startedAt: number;
    /** Bytes of the archive that were sent. */
    bytes: number;
  };
  GetAdminV1FillsResponse: {
    /** Newest first. */
    fills: readonly AdminSchemas["GetAdminV1FillsResponseFillsItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
    /** Rows that this instance lost: too many waited, the tables refused them, or too many orders came in a second. */
    dropped: number;
  };
  GetAdminV1FillsResponseFillsItem: {
    requestId: string;
    /** Unix milliseconds at which the order was given out. */
    at: number;
    maker: string;
    /** stream or webhook. */
    channel: string | null;
    /** Of the order. */
    inputMint: string | null;
    /** Of the order. */
    outputMint: string | null;
    /** Atoms, in decimal digits; what the maker quoted by webhook, before fees. */
    inAmount: string | null;
    /** Atoms, in decimal digits; what the maker quoted by webhook, before fees. */
    outAmount: string | null;
    /** Why it is not part of the order, as `docs/orders.md` lists the reasons. Null: it won. */
    lost: string | null;
    /** A sentence about its quote. */
    detail: string | null;
    /** Null until the taker executes the order. */
    fill: AdminSchemas["GetAdminV1OrdersOrderResponseMakersItemFill"] | null;
    /** Null: the caller had no key, or it is not known. */
    organisation: string | null;
    /** The wallet that swaps. */
    taker: string | null;
  };
  GetAdminV1LandingsNameResponse: {
    landings: readonly AdminSchemas["GetAdminV1LandingsResponseLandingsItem"][];
  };
  GetAdminV1LandingsResponse: {
    landings: readonly AdminSchemas["GetAdminV1LandingsResponseLandingsItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
    /** Reports that this instance has lost since its start, because too many waited. */
    lost: number;
  };
  GetAdminV1LandingsResponseLandingsItem: {
    signature: string;
    /** Null: it was submitted without a key. */
    organisation: string | null;
    /** The first request of the organisation that submitted it. */
    requestId: string;
    /** confirmed, failed, expired, rejected or unknown; null while it is under way. */
    outcome: string | null;
    slot: string | null;
    error: string | null;
    sends: number;
    /** Which node was the first to show it in its block; null if it is sent through one only. */
    firstSeenBy: string | null;
    /** Unix milliseconds. */
    acceptedAt: number;
    /** Unix milliseconds at which it was first taken by a node. */
    forwardedAt: number | null;
    /** Unix milliseconds at which it was first seen in a block. */
    seenAt: number | null;
    /** Unix milliseconds at which it was confirmed. */
    confirmedAt: number | null;
    /** Unix milliseconds at which it landed or was given up. */
    endedAt: number | null;
  };
  GetAdminV1LogLiveResponse: {
    /** Oldest first. */
    entries: readonly AdminSchemas["GetAdminV1LogResponseEntriesItem"][];
    /** Entries after these that are not shown, because the client did not take them fast enough. */
    missed: number;
    /** Why this is the last line; null if more follow. */
    ended: string | null;
  };
  GetAdminV1LogResponse: {
    /** Newest first. */
    entries: readonly AdminSchemas["GetAdminV1LogResponseEntriesItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
    /** Entries that this instance dropped, because too many waited to be written or too many requests were refused. */
    dropped: number;
  };
  GetAdminV1LogResponseEntriesItem: {
    /** Unix milliseconds. */
    at: number;
    requestId: string;
    /** Null without a valid key. */
    organisation: string | null;
    team: string | null;
    key: string | null;
    /** An IPv4 address or an IPv6 /64 network. */
    client: string;
    /** An ISO 3166 code; null if it is unknown. */
    country: string | null;
    /** The number of the autonomous system of the client; null if it is unknown. */
    asn: number | null;
    host: string;
    /** Without its query. */
    referrer: string;
    userAgent: string;
    method: string;
    path: string;
    /** Without the question mark; secrets are replaced by `[redacted]`. */
    query: string;
    /** The route that answered; empty if there is none. */
    endpoint: string;
    status: number;
    /** One of admitted, unauthorised, no-access, firewall-deny, firewall-limit, plan-limit, unavailable. */
    decision: string;
    firewall: AdminSchemas["GetAdminV1LogResponseEntriesItemFirewall"] | null;
    credits: number;
    /** Bytes of the body of the request. */
    bytesReceived: number;
    /** Bytes of the body of the answer. */
    bytesSent: number;
    /** The order that the request gave out or executed. */
    order: AdminSchemas["GetAdminV1LogResponseEntriesItemOrder"] | null;
    latency: AdminSchemas["GetAdminV1LogResponseEntriesItemLatency"];
  };
  GetAdminV1LogResponseEntriesItemFirewall: {
    /** bypass, deny, limit, allow or log. */
    outcome: string;
    rule: string;
    matched: readonly string[];
  };
  GetAdminV1LogResponseEntriesItemLatency: {
    /** Microseconds. */
    total: number;
    /** Microseconds until the handler began. */
    gateway: number;
    /** Microseconds until the handler answered. */
    handler: number;
    /** Microseconds until the answer was sent. */
    send: number;
  };
  GetAdminV1LogResponseEntriesItemOrder: {
    /** The id of the order, for `/admin/v1/orders/{order}`. */
    requestId: string;
    /** Empty if no such order is known. */
    router: string;
    /** The code of the execution; null if the request gave the order out. */
    code: number | null;
    /** Empty while the fee payer has not signed. */
    signature: string;
  };
  GetAdminV1MakersMakerResponse: {
    id: string;
    /** What the operator calls the maker, up to 64 characters; null: it has no name. */
    name: string | null;
    address: string;
    /** Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair. */
    pairs: readonly string[] | null;
    enabled: boolean;
    status: "prod" | "offline" | "suspended";
    /** Why the maker may not quote, even if its swap stream is live; null: it may. */
    blockedBy: string | null;
    /** Why it gets no orders now, over its streams or by its webhook; null: it can get some. */
    noOrders: string | null;
    /** Whether its swap stream is live; null: the instance that knows does not answer. */
    connected: boolean | null;
    /** The instance it is connected to; null: to none, or there is only one instance. */
    instance: string | null;
    /** Whether it returned a modified swap and has not been reinstated since. */
    tampered: boolean;
    suspendedUntil: number | null;
    /** The sequence number of the last accepted snapshot, a u64. */
    lastSequenceNumber: string;
    /** The webhook of the maker; null: it has none. */
    webhook: AdminSchemas["GetAdminV1MakersResponseMakersItemWebhook"] | null;
    accepted: number;
    /** Refused snapshots by the reason. */
    rejected: AdminSchemas["GetAdminV1MakersMakerResponseRejected"];
    /** Acks of its snapshots by what this service took from the receipt of each to its ack, which is not the time of last look: at most 0.25, 0.5, 1, 2.5, 5, 10, 25, 100 ms, each without the ones before; the last counts slower ones. */
    ackLatency: readonly number[];
    swaps: AdminSchemas["GetAdminV1MakersMakerResponseSwaps"];
    /** Orders for which one of its books was considered, and those of them that its fill won. */
    orders: AdminSchemas["GetAdminV1MakersMakerResponseOrders"];
    /** Volume of landed fills: in millionths of a US dollar at the pools' prices of the time, and in atoms that the maker paid and received, for the first 256 mints. */
    volume: AdminSchemas["GetAdminV1MakersMakerResponseVolume"];
    breaker: AdminSchemas["MakerBreaker"];
    /** Null without a webhook. Below the threshold, it is off until the operator enables it. */
    webhookBreaker: AdminSchemas["MakerWebhookBreaker"] | null;
    /** The last changes of its status, at most 50, newest first. */
    changes: readonly AdminSchemas["MakerStatusChange"][];
  };
  GetAdminV1MakersMakerResponseOrders: {
    considered: number;
    won: number;
  };
  GetAdminV1MakersMakerResponseRejected: {
    "maker-id"?: number;
    "maker-address"?: number;
    status?: number;
    "swap-stream"?: number;
    cluster?: number;
    pair?: number;
    token?: number;
    "lot-size"?: number;
    expiry?: number;
    levels?: number;
    sequence?: number;
    timestamp?: number;
    inventory?: number;
  };
  GetAdminV1MakersMakerResponseSwaps: {
    filled: number;
    missed: number;
    tampered: number;
  };
  GetAdminV1MakersMakerResponseVolume: {
    /** A whole number. */
    microDollars: string;
    mints: readonly AdminSchemas["GetAdminV1MakersMakerResponseVolumeMintsItem"][];
  };
  GetAdminV1MakersMakerResponseVolumeMintsItem: {
    mint: string;
    /** A whole number. */
    paid: string;
    /** A whole number. */
    received: string;
  };
  GetAdminV1MakersResponse: {
    makers: readonly AdminSchemas["GetAdminV1MakersResponseMakersItem"][];
  };
  GetAdminV1MakersResponseMakersItem: {
    id: string;
    /** What the operator calls the maker, up to 64 characters; null: it has no name. */
    name: string | null;
    address: string;
    /** Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair. */
    pairs: readonly string[] | null;
    enabled: boolean;
    status: "prod" | "offline" | "suspended";
    /** Why the maker may not quote, even if its swap stream is live; null: it may. */
    blockedBy: string | null;
    /** Why it gets no orders now, over its streams or by its webhook; null: it can get some. */
    noOrders: string | null;
    /** Whether its swap stream is live; null: the instance that knows does not answer. */
    connected: boolean | null;
    /** The instance it is connected to; null: to none, or there is only one instance. */
    instance: string | null;
    /** Whether it returned a modified swap and has not been reinstated since. */
    tampered: boolean;
    suspendedUntil: number | null;
    /** The sequence number of the last accepted snapshot, a u64. */
    lastSequenceNumber: string;
    /** The webhook of the maker; null: it has none. */
    webhook: AdminSchemas["GetAdminV1MakersResponseMakersItemWebhook"] | null;
  };
  GetAdminV1MakersResponseMakersItemWebhook: {
    url: string;
    status: "prod" | "offline" | "suspended";
    /** Why it is not asked until the operator enables it; null: it is, or will be. */
    why: string | null;
    suspendedUntil: number | null;
    /** Mints that it lists, as this instance read them last; null: it has not answered yet. */
    mints: number | null;
    /** Swaps that it was sent. `excused`: not filled through no fault of the maker. */
    swaps: AdminSchemas["GetAdminV1MakersResponseMakersItemWebhookSwaps"];
    /** Questions for quotes by this instance since it started; `declined` are answers of 404. */
    calls: AdminSchemas["GetAdminV1MakersResponseMakersItemWebhookCalls"];
  };
  GetAdminV1MakersResponseMakersItemWebhookCalls: {
    asked: number;
    quoted: number;
    declined: number;
    failed: number;
    lastAnswerAt: number | null;
    /** Why the last call failed; null: it has not. */
    problem: string | null;
    /** Until when it is not asked because its last calls failed; null: it is. */
    restsUntil: number | null;
  };
  GetAdminV1MakersResponseMakersItemWebhookSwaps: {
    filled: number;
    missed: number;
    excused: number;
  };
  GetAdminV1MeResponse: {
    /** `operator`, `operator (name)` in a session under a name, or organisation/member. */
    who: string;
    /** `operator`, or the member’s role. */
    standing: string;
    /** The slug of the member’s organisation; null: the operator, who may access all. */
    organisation: string | null;
    /** The teams that the member belongs to. The operator belongs to none. */
    teams: readonly string[];
    rights: readonly string[];
  };
  GetAdminV1NetworkFaultsNextResponse: {
    /** In their order. The first one that matches a transaction strikes it. */
    waiting: readonly AdminSchemas["GetAdminV1NetworkFaultsNextResponseWaitingItem"][];
    /** The last hundred transactions that were struck, the oldest first. */
    struck: readonly AdminSchemas["GetAdminV1NetworkFaultsNextResponseStruckItem"][];
  };
  GetAdminV1NetworkFaultsNextResponseStruckItem: {
    /** `drop`: accepted, and never lands. `delay`: the first attempt to land is later. `fail`: lands, pays its fee, and fails. */
    effect: "drop" | "delay" | "fail";
    signature: string;
    /** A whole number, as text. */
    slot: string;
  };
  GetAdminV1NetworkFaultsNextResponseWaitingItem: {
    /** `drop`: accepted, and never lands. `delay`: the first attempt to land is later. `fail`: lands, pays its fee, and fails. */
    effect: "drop" | "delay" | "fail";
    count: number;
    wallet: string | null;
    program: string | null;
  };
  GetAdminV1NetworkFaultsRequestsResponse: {
    /** In their order. The first one that matches a request strikes it. */
    waiting: readonly AdminSchemas["GetAdminV1NetworkFaultsRequestsResponseWaitingItem"][];
    /** The last hundred requests that were struck, the oldest first. */
    struck: readonly AdminSchemas["GetAdminV1NetworkFaultsRequestsResponseStruckItem"][];
  };
  GetAdminV1NetworkFaultsRequestsResponseStruckItem: {
    requestId: string;
    method: string;
    path: string;
    status: 429 | 500 | 502 | 503 | 504 | null;
    delayMs: number;
    /** Unix milliseconds. */
    at: number;
  };
  GetAdminV1NetworkFaultsRequestsResponseWaitingItem: {
    path: string;
    status: 429 | 500 | 502 | 503 | 504 | null;
    delayMs: number;
    count: number;
  };
  GetAdminV1NetworkFaultsResponse: {
    /** Seed of the random numbers. */
    seed: number;
    /** Probability that an attempt to land a transaction is lost. */
    drop: number;
    /** Slots before the first attempt to land a transaction. */
    delaySlots: number;
    /** Maximum of further slots, chosen at random. */
    reorderSlots: number;
    /** Micro-lamports per compute unit, as text. Above 0, recent priority fees are reported as at least this, and a transaction that pays less waits until the congestion ends or its blockhash expires. */
    congestion: string;
    /** Slots that reads lag behind. */
    staleReads: number;
  };
  GetAdminV1NetworkFaultsRpcResponse: {
    /** In their order. The first one that matches a call strikes it. */
    waiting: readonly AdminSchemas["GetAdminV1NetworkFaultsRpcResponseWaitingItem"][];
    /** The last hundred calls that were struck, the oldest first. */
    struck: readonly AdminSchemas["GetAdminV1NetworkFaultsRpcResponseStruckItem"][];
  };
  GetAdminV1NetworkFaultsRpcResponseStruckItem: {
    /** A method of the Solana RPC; `*` is every method. */
    method: string;
    status: 429 | 500 | 502 | 503 | 504 | null;
    code: number | null;
    delayMs: number;
    /** Unix milliseconds. */
    at: number;
  };
  GetAdminV1NetworkFaultsRpcResponseWaitingItem: {
    /** A method of the Solana RPC; `*` is every method. */
    method: string;
    status: 429 | 500 | 502 | 503 | 504 | null;
    code: number | null;
    delayMs: number;
    count: number;
  };
  GetAdminV1NetworkMakersChecksResponse: {
    /** The id of the maker whose check is running; null: none is, and one may begin. */
    running: string | null;
    /** The ids of the makers that were checked since the start, the last one first. */
    checked: readonly string[];
    /** In the order in which a maker is put through them. */
    streams: readonly AdminSchemas["GetAdminV1NetworkMakersChecksResponseStreamsItem"][];
    /** In the order in which a maker is put through them. */
    webhook: readonly AdminSchemas["GetAdminV1NetworkMakersChecksResponseStreamsItem"][];
  };
  GetAdminV1NetworkMakersChecksResponseStreamsItem: {
    situation: "connection" | "quotes" | "fill" | "refuses a better price" | "refuses expired terms" | "refuses more than was quoted" | "refuses an instruction that takes from its address" | "refuses an instruction that takes from its token account" | "refuses a fill outside the aggregator" | "refuses other token accounts in its place" | "expiry" | "reconnect" | "back-pressure" | "tokens" | "quote of an exact input" | "quote of an exact output" | "no quote of an unknown token" | "swap" | "rejection" | "rejection for lack of balance" | "rejection of a signature" | "refuses to pay for an account" | "refuses a quote that is not its own" | "malformed requests" | "key";
    /** When the maker passes it, as a sentence. */
    meaning: string;
  };
  GetAdminV1NetworkPriceFollowerResponse: {
    /** Whether the pools follow the prices of the feeds. */
    following: boolean;
  };
  GetAdminV1NetworkPricesResponse: {
    prices: readonly AdminSchemas["GetAdminV1NetworkPricesResponsePricesItem"][];
  };
  GetAdminV1NetworkPricesResponsePricesItem: {
    symbol: string;
    /** The address of the feed. */
    feed: string;
    /** US dollars for a whole token. */
    price: string;
    /** By how many dollars the true price may differ. */
    confidence: string;
    /** Unix seconds by the clock of the network. */
    publishTime: string;
    /** A whole number, as text. */
    slot: string;
    /** The token whose price this one follows; it cannot be set. */
    follows: string | null;
    walk: AdminSchemas["GetAdminV1NetworkPricesResponsePricesItemWalk"] | null;
  };
  GetAdminV1NetworkPricesResponsePricesItemWalk: {
    /** Standard deviation of the price within an hour, in percent. */
    deviation: number;
    /** What the price gains in an hour, in percent; negative when it falls. */
    drift: number;
    /** The length of a step by the clock of the network. */
    seconds: number;
    /** A whole number, as text. */
    seed: string;
    /** A whole number, as text. */
    steps: string;
  };
  GetAdminV1NetworkResponse: {
    /** Solana JSON-RPC. */
    rpcUrl: string;
    /** Solana WebSocket. */
    wsUrl: string;
    /** A whole number, as text. */
    slot: string;
    /** The clock of the network, in Unix seconds. */
    unixTimestamp: string;
  };
  GetAdminV1NetworkSnapshotsNameContentResponse: {
    /** The snapshot: gzipped, at most 12 MiB, in base64. */
    content: string;
  };
  GetAdminV1NetworkSnapshotsResponse: {
    snapshots: readonly AdminSchemas["GetAdminV1NetworkSnapshotsResponseSnapshotsItem"][];
  };
  GetAdminV1NetworkSnapshotsResponseSnapshotsItem: {
    name: string;
    /** A whole number, as text. */
    slot: string;
  };
  GetAdminV1NetworkWalletsResponse: {
    wallets: readonly AdminSchemas["GetAdminV1NetworkWalletsResponseWalletsItem"][];
  };
  GetAdminV1NetworkWalletsResponseWalletsItem: {
    /** The name by which it is asked to sign. */
    name: string;
    /** Its address. */
    address: string;
  };
  GetAdminV1OrdersOrderResponse: {
    order: AdminSchemas["GetAdminV1OrdersResponseOrdersItem"];
    /** All makers that were considered; for the operator only. */
    makers: readonly AdminSchemas["GetAdminV1OrdersOrderResponseMakersItem"][];
  };
  GetAdminV1OrdersOrderResponseMakersItem: {
    requestId: string;
    /** Unix milliseconds at which the order was given out. */
    at: number;
    maker: string;
    /** stream or webhook. */
    channel: string | null;
    /** Of the order. */
    inputMint: string | null;
    /** Of the order. */
    outputMint: string | null;
    /** Atoms, in decimal digits; what the maker quoted by webhook, before fees. */
    inAmount: string | null;
    /** Atoms, in decimal digits; what the maker quoted by webhook, before fees. */
    outAmount: string | null;
    /** Why it is not part of the order, as `docs/orders.md` lists the reasons. Null: it won. */
    lost: string | null;
    /** A sentence about its quote. */
    detail: string | null;
    /** Null until the taker executes the order. */
    fill: AdminSchemas["GetAdminV1OrdersOrderResponseMakersItemFill"] | null;
  };
  GetAdminV1OrdersOrderResponseMakersItemFill: {
    /** offered, confirmed, failed, expired or rejected. */
    state: string;
    /** Unix milliseconds; when the maker was offered the fill. */
    offeredAt: number | null;
    /** Unix milliseconds; when the maker answered at last look. */
    answeredAt: number | null;
    /** Milliseconds from the offer to the answer; null without an answer. */
    lastLookMs: number | null;
    /** signed by a stream; accepted, rejected or unanswered by a webhook. */
    answer: string | null;
    /** Unix milliseconds; null before the end. */
    endedAt: number | null;
    /** A sentence; null if the fill was made. */
    failure: string | null;
    /** Of the transaction. */
    signature: string | null;
    /** Null unless it landed. */
    paid: AdminSchemas["GetAdminV1OrdersOrderResponseMakersItemFillPaid"] | null;
    /** Null unless it landed. */
    received: AdminSchemas["GetAdminV1OrdersOrderResponseMakersItemFillPaid"] | null;
    /** Millionths of a US dollar; null if no pool prices it. */
    microDollars: string | null;
  };
  GetAdminV1OrdersOrderResponseMakersItemFillPaid: {
    mint: string;
    atoms: string;
  };
  GetAdminV1OrdersResponse: {
    /** Newest first. */
    orders: readonly AdminSchemas["GetAdminV1OrdersResponseOrdersItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
    /** Rows that this instance lost: too many waited, the tables refused them, or too many orders came in a second. */
    dropped: number;
  };
  GetAdminV1OrdersResponseOrdersItem: {
    requestId: string;
    /** Unix milliseconds at which the order was given out. */
    at: number;
    /** Null: the caller had no key, or it is not known. */
    organisation: string | null;
    /** The wallet that swaps. */
    taker: string | null;
    /** Another wallet that gets the output; null without one. */
    receiver: string | null;
    /** Null if only the end of the order is known, as for all terms of an order. */
    inputMint: string | null;
    /** What is bought. */
    outputMint: string | null;
    /** ExactIn or ExactOut. */
    swapMode: string | null;
    /** Atoms, in decimal digits; as quoted. */
    inAmount: string | null;
    /** Atoms, in decimal digits; as quoted. */
    outAmount: string | null;
    /** In basis points. */
    slippageBps: number | null;
    /** What the platform fee is taken in. */
    feeMint: string | null;
    /** Atoms, in decimal digits; the platform fee. */
    feeAmount: string | null;
    /** Whose quote won. */
    router: string | null;
    /** The id of the maker that takes part; null without one. */
    maker: string | null;
    /** Who pays the network: taker, sponsor, maker, payer, a wallet of the integrator; null if it is not known. */
    paidBy: string | null;
    /** The wallet that pays the network. */
    payer: string | null;
    /** Null until it is executed. */
    execution: AdminSchemas["GetAdminV1OrdersResponseOrdersItemExecution"] | null;
  };
  GetAdminV1OrdersResponseOrdersItemExecution: {
    /** Unix milliseconds. */
    begunAt: number;
    /** Unix milliseconds; null while it runs, or if the instance was killed meanwhile. */
    endedAt: number | null;
    /** As the execution answers it; null before the end. */
    code: number | null;
    /** A sentence; null if the swap was made. */
    reason: string | null;
    /** Null while the fee payer has not signed. */
    signature: string | null;
    /** Where it landed. */
    slot: string | null;
    /** Atoms, in decimal digits; what left the wallet. */
    totalInput: string | null;
    /** Atoms, in decimal digits; what arrived. */
    totalOutput: string | null;
  };
  GetAdminV1OrganisationsOrganisationInvitationsResponse: {
    invitations: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationInvitationsResponseInvitationsItem"][];
    /** Cursor of the next page; null: none. */
    next: string | null;
  };
  GetAdminV1OrganisationsOrganisationInvitationsResponseInvitationsItem: {
    name: string;
    role: string;
    /** Unix milliseconds. */
    createdAt: number;
    /** Unix milliseconds. */
    expiresAt: number;
  };
  GetAdminV1OrganisationsOrganisationKeysResponse: {
    keys: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationKeysResponseKeysItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1OrganisationsOrganisationKeysResponseKeysItem: {
    team: string;
    name: string;
    /** The first and last characters of the key; null: they were not stored when it was created. */
    excerpt: string | null;
    /** Names of products; null: all. An unknown name is refused with the list of the known ones. */
    products: readonly string[] | null;
    expiresAt: number | null;
    lastUsedAt: number | null;
    /** Unix milliseconds. */
    createdAt: number;
  };
  GetAdminV1OrganisationsOrganisationMembersResponse: {
    members: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationMembersResponseMembersItem"][];
    /** Cursor of the next page; null: none. */
    next: string | null;
  };
  GetAdminV1OrganisationsOrganisationMembersResponseMembersItem: {
    name: string;
    role: string;
    /** Unix milliseconds. */
    createdAt: number;
    /** When the token expires, in Unix milliseconds; null: never. */
    tokenExpiresAt: number | null;
    /** When the token was last used, to the minute, in Unix milliseconds; null: never. */
    tokenLastUsedAt: number | null;
    /** The teams whose keys and firewall the role `member` may change. Owners and admins may change all. */
    teams: readonly string[];
  };
  GetAdminV1OrganisationsOrganisationOrdersOrderResponse: {
    order: AdminSchemas["GetAdminV1OrdersResponseOrdersItem"];
  };
  GetAdminV1OrganisationsOrganisationTeamsResponse: {
    teams: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsResponseTeamsItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1OrganisationsOrganisationTeamsResponseTeamsItem: {
    slug: string;
    /** Unix milliseconds. */
    createdAt: number;
    /** How many keys it has. */
    keys: number;
    /** How many members belong to it. */
    members: number;
    /** How many firewall rules it has. */
    rules: number;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamKeysResponse: {
    keys: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamKeysResponseKeysItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamKeysResponseKeysItem: {
    name: string;
    /** The first and last characters of the key; null: they were not stored when it was created. */
    excerpt: string | null;
    /** Names of products; null: all. An unknown name is refused with the list of the known ones. */
    products: readonly string[] | null;
    expiresAt: number | null;
    lastUsedAt: number | null;
    /** Unix milliseconds. */
    createdAt: number;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamMembersResponse: {
    members: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamMembersResponseMembersItem"][];
    /** Cursor of the next page; null: none. */
    next: string | null;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamMembersResponseMembersItem: {
    name: string;
    role: string;
    /** Unix milliseconds. */
    since: number;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponse: {
    /** The oldest first. */
    rules: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItem"][];
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItem: {
    name: string;
    enabled: boolean;
    /** The rule as a sentence. */
    expression: string;
    /** The rule matches if all conditions of one group hold. Without groups it always matches. */
    groups: readonly (readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemGroupsItemItem"][])[];
    action: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemAction"];
    /** Unix milliseconds. */
    createdAt: number;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemAction: {
    /** One of bypass, deny, rate-limit, log. */
    type: string;
    /** Requests in any window, with `rate-limit` only. */
    limit?: number;
    /** Seconds or minutes from `1s` to `60m`, with `rate-limit` only. `second` and `minute` are also accepted. */
    window?: string;
    /** Who is counted, one of ip, key, team, with `rate-limit` only. */
    per?: string;
  };
  GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemGroupsItemItem: {
    /** One of path, key, method, country, header, ip. */
    type: string;
    /** The header's name, with the type `header` only. */
    name?: string;
    /** The condition holds if one of the values matches: beginnings of paths, names of keys, methods, ISO 3166 country codes, values of the header, or IP addresses and networks. */
    values: readonly string[];
  };
  GetAdminV1OrganisationsOrganisationUsageResponse: {
    month: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemCredits"];
    /** The calendar months that overlap the requested range, newest first, twelve at most. Each is judged by the plan in force at its end. */
    months: readonly AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemCredits"][];
    rows: readonly AdminSchemas["GetAdminV1OrganisationsOrganisationUsageResponseRowsItem"][];
  };
  GetAdminV1OrganisationsOrganisationUsageResponseRowsItem: {
    /** A day as 2026-01-31, the name of a key (its id, if it was deleted), or an endpoint. */
    of: string;
    /** The team of the key, with `by=key` only; null: the key was deleted. */
    team?: string | null;
    requests: number;
    credits: number;
    /** Answers with a status of 400 or above. */
    errors: number;
  };
  GetAdminV1OrganisationsResponse: {
    organisations: readonly AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1OrganisationsResponseOrganisationsItem: {
    slug: string;
    plan: string;
    /** Unix milliseconds. */
    createdAt: number;
    usage?: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemUsage"];
    credits?: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemCredits"];
  };
  GetAdminV1OrganisationsResponseOrganisationsItemCredits: {
    /** The plan that applies to the month. */
    plan: string;
    /** Unix milliseconds. */
    since: number;
    /** Unix milliseconds. */
    until: number;
    used: number;
    /** Null: unlimited. */
    included: number | null;
    overage: number;
  };
  GetAdminV1OrganisationsResponseOrganisationsItemUsage: {
    main: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemUsageMain"];
    execute: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemUsageMain"];
    submit: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemUsageMain"];
  };
  GetAdminV1OrganisationsResponseOrganisationsItemUsageMain: {
    /** Requests of the last 60 seconds, through all instances that share a Valkey; null while Valkey does not answer. */
    current: number | null;
    limit: number;
  };
  GetAdminV1PlansResponse: {
    /** Requests in any 60 seconds without a key; 0: a key is required. `local` holds for callers on the machine of the instance. */
    keyless: AdminSchemas["GetAdminV1PlansResponseKeyless"];
    /** The limits of callers without a key: `keyless`, and `keyless-local` on the machine of the instance. */
    withoutKey: readonly AdminSchemas["GetAdminV1PlansResponseWithoutKeyItem"][];
    plans: readonly AdminSchemas["GetAdminV1PlansResponsePlansItem"][];
  };
  GetAdminV1PlansResponseKeyless: {
    main: number;
    local: number;
  };
  GetAdminV1PlansResponsePlansItem: {
    name: string;
    /** Requests in any 60 seconds. */
    main: number;
    /** Executions in any 60 seconds. */
    execute: number;
    /** Transactions submitted for landing in any 60 seconds. */
    submit: number;
    /** The limits without changes by the operator. */
    usual: AdminSchemas["GetAdminV1PlansResponseWithoutKeyItemUsual"];
    /** Whether the operator has changed the limits. */
    changed: boolean;
    /** Credits of a calendar month; null: unlimited. */
    includedCredits: number | null;
  };
  GetAdminV1PlansResponseWithoutKeyItem: {
    name: string;
    /** Requests in any 60 seconds. */
    main: number;
    /** Executions in any 60 seconds. */
    execute: number;
    /** Transactions submitted for landing in any 60 seconds. */
    submit: number;
    /** The limits without changes by the operator. */
    usual: AdminSchemas["GetAdminV1PlansResponseWithoutKeyItemUsual"];
    /** Whether the operator has changed the limits. */
    changed: boolean;
  };
  GetAdminV1PlansResponseWithoutKeyItemUsual: {
    /** Requests in any 60 seconds. */
    main: number;
    /** Executions in any 60 seconds. */
    execute: number;
    /** Transactions submitted for landing in any 60 seconds. */
    submit: number;
  };
  GetAdminV1PredictionEventsResponse: {
    events: readonly AdminSchemas["GetAdminV1PredictionEventsResponseEventsItem"][];
  };
  GetAdminV1PredictionEventsResponseEventsItem: {
    eventId: string;
    title: string;
    category: string;
    /** Unix seconds. */
    closeAt: number;
    markets: readonly AdminSchemas["GetAdminV1PredictionEventsResponseEventsItemMarketsItem"][];
  };
  GetAdminV1PredictionEventsResponseEventsItemMarketsItem: {
    marketId: string;
    title: string;
    status: "open" | "closed" | "cancelled";
    result: "yes" | "no" | null;
    /** Unix seconds. */
    openAt: number;
    /** Unix seconds. */
    closeAt: number;
    feeBps: number;
    house: AdminSchemas["GetAdminV1PredictionEventsResponseEventsItemMarketsItemHouse"];
  };
  GetAdminV1PredictionEventsResponseEventsItemMarketsItemHouse: {
    startCents: number;
    contractsPerCent: number;
  };
  GetAdminV1SessionResponse: {
    /** `operator`, `operator (name)` in a session under a name, or organisation/member. */
    who: string;
    /** `operator`, or the member’s role. */
    standing: string;
    /** The slug of the member’s organisation; null: the operator, who may access all. */
    organisation: string | null;
    /** The teams that the member belongs to. The operator belongs to none. */
    teams: readonly string[];
    rights: readonly string[];
    /** When the session ends however much it is used, in Unix milliseconds; null: the request has a credential of its own. */
    expiresAt: number | null;
  };
  GetAdminV1SettingsResponse: {
    /** Unix milliseconds at which this process read its settings. */
    startedAt: number;
    /** Unix milliseconds at which everything was read again for this answer. */
    readAt: number;
    version: AdminSchemas["GetAdminV1SettingsResponseVersion"];
    /** The configuration file. A restart by another command may name another one. */
    file: AdminSchemas["GetAdminV1SettingsResponseFile"];
    /** Why the next start would be refused by its settings, as `sluice start` would print it: at most 50. While there are any, no setting has `restart`. */
    problems: readonly string[];
    /** What else a restart would change. */
    changes: readonly AdminSchemas["GetAdminV1SettingsResponseChangesItem"][];
    settings: readonly AdminSchemas["GetAdminV1SettingsResponseSettingsItem"][];
  };
  GetAdminV1SettingsResponseChangesItem: {
    /** `version`: the program on disk. `schema`: the tables of the database. `file`: a file that is read at the start only. `fault`: a file that a start could not use. */
    kind: "version" | "schema" | "file" | "fault";
    /** The setting that names the file, or what it is about. */
    subject: string;
    /** What a restart would do, as a sentence. */
    text: string;
    /** Unix milliseconds at which the file was written; null: unknown. */
    at: number | null;
  };
  GetAdminV1SettingsResponseFile: {
    /** Where the configuration file is, or would be looked for. */
    path: string;
    /** `written`: since the start. Its content may be the same. */
    state: "absent" | "unchanged" | "written" | "appeared" | "gone";
    /** Unix milliseconds; null: there is no file. */
    writtenAt: number | null;
  };
  GetAdminV1SettingsResponseSettingsItem: {
    name: string;
    /** What it is about. */
    group: string;
    /** The page of the documentation about its group. */
    docs: string;
    description: string;
    /** The values that it may have. */
    allowed: string;
    kind: "text" | "number" | "switch" | "list";
    flag: string;
    /** The first one that is set counts. */
    variables: readonly string[];
    /** Whether its value is never shown. */
    secret: boolean;
    /** The value of this process. Null: a secret. */
    value: string | number | boolean | readonly string[] | null;
    /** Whether the value is another one than the default. */
    isSet: boolean;
    /** Where the value comes from. */
    source: AdminSchemas["GetAdminV1SettingsResponseSettingsItemSource"];
    /** The value when nothing is given. */
    default: string | number | boolean | readonly string[] | null;
    /** What holds in this process where the value does not say it, such as the port that the system chose; null: the value does. */
    inForce: string | null;
    /** What a restart would change of it; null: nothing, or the settings cannot be read now. */
    restart: AdminSchemas["GetAdminV1SettingsResponseSettingsItemRestart"] | null;
  };
  GetAdminV1SettingsResponseSettingsItemRestart: {
    /** `value`: another value. `source`: it would come from elsewhere, with the same value, or it is a secret. `unknown`: a secret in a file that was written since; whether it is the same is not told. */
    change: "value" | "source" | "unknown";
    /** The value after a restart. Null: a secret. */
    value: string | number | boolean | readonly string[] | null;
    isSet: boolean;
    /** Where the value comes from. */
    source: AdminSchemas["GetAdminV1SettingsResponseSettingsItemSource"];
  };
  GetAdminV1SettingsResponseSettingsItemSource: {
    kind: "flag" | "variable" | "file" | "default";
    /** The flag, the variable or the path of the file; empty for the default. */
    name: string;
  };
  GetAdminV1SettingsResponseVersion: {
    running: string;
    /** The version that a restart would run; null: it cannot be read. */
    onDisk: string | null;
  };
  GetAdminV1TokenRequestsResponse: {
    requests: readonly AdminSchemas["GetAdminV1TokenRequestsResponseRequestsItem"][];
  };
  GetAdminV1TokenRequestsResponseRequestsItem: {
    signature: string;
    mint: string;
    sender: string;
    currency: string;
    /** Atoms of the token that was paid. */
    amount: string;
    state: string;
    wantsVerification: boolean;
    twitterHandle: string;
    senderTwitterHandle: string;
    description: string;
    details: Readonly<Record<string, string | number>> | null;
    notes: Readonly<Record<string, string>>;
    /** Unix milliseconds. */
    createdAt: number;
  };
  GetAdminV1TokensResponse: {
    decisions: readonly AdminSchemas["GetAdminV1TokensResponseDecisionsItem"][];
  };
  GetAdminV1TokensResponseDecisionsItem: {
    mint: string;
    /** `listed` leaves it to the list of known tokens. A banned token is never answered. */
    level: "verified" | "unverified" | "banned" | "listed";
    tags: readonly string[];
    /** What was submitted and approved. Texts of strangers: escape them. */
    details: Readonly<Record<string, string | number>>;
  };
  GetAdminV1VaultsResponse: {
    vaults: readonly AdminSchemas["GetAdminV1VaultsResponseVaultsItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1VaultsResponseVaultsItem: {
    /** The wallet that the vault belongs to. */
    wallet: string;
    /** The address whose key Sluice keeps for it. */
    vault: string;
    /** Its orders that may have money in their accounts. */
    orders: number;
    /** Unix milliseconds. */
    createdAt: number;
  };
  GetAdminV1WaitingOrdersOrderResponse: {
    order: AdminSchemas["GetAdminV1WaitingOrdersResponseOrdersItem"];
    /** The newest 100, newest first. */
    transactions: readonly AdminSchemas["GetAdminV1WaitingOrdersOrderResponseTransactionsItem"][];
  };
  GetAdminV1WaitingOrdersOrderResponseTransactionsItem: {
    /** Counts the transactions of the order from 1. */
    number: number;
    /** deposit, fill or withdrawal. */
    kind: string;
    signature: string;
    /** pending, success, failed or expired. */
    outcome: string;
    /** Atoms, in decimal digits; of the input, what it moves. */
    inputAmount: string;
    /** Atoms of the output that it paid; null if it paid none. */
    outputAmount: string | null;
    /** The price at which a fill was triggered; null for the others. */
    triggeredPrice: number | null;
    /** What a fill belongs to; null for the others. */
    leg: "single" | "entry" | "take_profit" | "stop_loss" | "round" | null;
    /** Which round it fills; null for the others. */
    round: number | null;
    /** After this block it can no longer land. */
    lastValidBlockHeight: string;
    /** Unix milliseconds. */
    createdAt: number;
    /** Unix milliseconds; null while it is under way. */
    endedAt: number | null;
  };
  GetAdminV1WaitingOrdersResponse: {
    /** Newest first. */
    orders: readonly AdminSchemas["GetAdminV1WaitingOrdersResponseOrdersItem"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  GetAdminV1WaitingOrdersResponseOrdersItem: {
    id: string;
    wallet: string;
    /** The address whose key Sluice keeps for the wallet. */
    vault: string;
    /** The token account of the vault with the input. */
    account: string;
    inputMint: string;
    outputMint: string;
    /** Atoms, in decimal digits; what was deposited. */
    inputAmount: string;
    /** Atoms, in decimal digits; what is not spent. */
    remaining: string;
    /** Atoms, in decimal digits; of the output, what the fills paid together. */
    received: string;
    kind: "single" | "oco" | "otoco" | "time_based" | "price_conditional";
    /** The prices that fill the order now. Empty if it is filled in rounds. */
    triggers: readonly AdminSchemas["GetAdminV1WaitingOrdersResponseOrdersItemTriggersItem"][];
    /** The price of the watched mint now; null if it has none. */
    price: number | null;
    /** Null: the trigger does not follow the price. */
    trailing: AdminSchemas["GetAdminV1WaitingOrdersResponseOrdersItemTrailing"] | null;
    /** Null: the order is not filled in rounds. */
    rounds: AdminSchemas["GetAdminV1WaitingOrdersResponseOrdersItemRounds"] | null;
    state: "depositing" | "open" | "executing" | "fill_success" | "ready_to_cancel" | "withdrawing" | "cancelled" | "expired" | "deposit_failed";
    /** Why it is not filled although its price is reached. */
    waitsFor: "gas" | "price" | "band" | "route" | "refused" | "unpriced" | "unavailable" | null;
    /** A sentence that says what the order waits for, or how it ended. */
    explanation: string;
    /** Fills in a row that did not succeed. */
    failures: number;
    /** Unix milliseconds; no fill is attempted before; null: at once. */
    retryAt: number | null;
    /** Which keeper works on it; null: none does. */
    keeper: string | null;
    /** Unix milliseconds; when its lease ends, unless the keeper renews it; null without one. */
    keeperUntil: number | null;
    /** Unix milliseconds; when its first fill was recorded; null before. */
    triggeredAt: number | null;
    /** Unix milliseconds. */
    createdAt: number;
    /** Unix milliseconds. */
    updatedAt: number;
    /** Unix milliseconds; null: never. */
    expiresAt: number | null;
    /** Unix milliseconds; when the wallet last changed it; null: never. */
    editedAt: number | null;
  };
  GetAdminV1WaitingOrdersResponseOrdersItemRounds: {
    total: number;
    filled: number;
    intervalMs: number;
    /** Unix milliseconds. */
    nextAt: number;
    /** Unix milliseconds; when the last round was filled; null before the first one. */
    lastAt: number | null;
    /** The mint of the two prices; null if rounds are filled at any price. */
    triggerMint: string | null;
    /** No round is filled below this price. */
    minPrice: number | null;
    /** No round is filled above this price. */
    maxPrice: number | null;
  };
  GetAdminV1WaitingOrdersResponseOrdersItemTrailing: {
    /** How far the trigger is from the watermark. */
    bps: number;
    /** The best price since the order was created. */
    watermark: number;
  };
  GetAdminV1WaitingOrdersResponseOrdersItemTriggersItem: {
    leg: "single" | "entry" | "take_profit" | "stop_loss" | "round";
    /** The mint whose price is watched. */
    mint: string;
    condition: "above" | "below";
    /** US dollars for one whole token. */
    triggerPrice: number;
    /** Null: Sluice chooses it. */
    slippageBps: number | null;
  };
  Health: {
    status: "ok";
  };
  LastLook: {
    answers: number;
    /** Milliseconds. */
    p50: number;
    /** Milliseconds. */
    p90: number;
    /** Milliseconds. */
    p95: number;
    /** Milliseconds. */
    p99: number;
    /** Milliseconds. */
    max: number;
  };
  LastLookTime: {
    /** Milliseconds from the offer to the answer; null: more than all others. */
    upToMs: number | null;
    answers: number;
  };
  LostOrders: {
    /** One of price, volume, balance, unusable, no-quote, late, invalid, failed, not-asked. */
    reason: string;
    orders: number;
  };
  MakerBook: {
    base: AdminSchemas["MakerBookToken"];
    quote: AdminSchemas["MakerBookToken"];
    /** What the maker pays for base, highest price first. */
    bids: readonly AdminSchemas["MakerBookLevel"][];
    /** What the maker asks for base, lowest price first. */
    asks: readonly AdminSchemas["MakerBookLevel"][];
    /** What swaps under way reserve of the inventory of the maker. */
    reserved: AdminSchemas["MakerBookReserved"];
    /** Of the snapshot, a u64. */
    sequenceNumber: string;
    /** Atoms of `base` in a lot, as the maker streams it, in decimal digits. */
    lotSizeBase: string;
    /** Unix milliseconds at which the snapshot came. */
    receivedAt: number;
    /** Milliseconds since then. */
    ageMs: number;
    /** Unix milliseconds from which on the book is not used. */
    expiresAt: number;
    /** Whether takers can buy at its best ask and sell at its higher best bid. */
    isCrossed: boolean;
    /** Why it is not used for orders now; null: it is. */
    notUsed: string | null;
  };
  MakerBookLevel: {
    /** Atoms of `quote` for one whole token of `base`, in decimal digits. */
    price: string;
    /** Atoms of `base`, in decimal digits. */
    volume: string;
    /** Of them, the atoms that no swap under way reserves, in decimal digits. */
    free: string;
  };
  MakerBookReserved: {
    /** Atoms of `base`, in decimal digits. */
    base: string;
    /** Atoms of `quote`, in decimal digits. */
    quote: string;
  };
  MakerBookToken: {
    mint: string;
    decimals: number;
    /** What the maker streams, which may be any text. */
    symbol: string;
  };
  MakerBooks: {
    /** The id of the maker. */
    maker: string;
    /** Unix milliseconds of this answer, by the clock of the times below. */
    at: number;
    /** Why no book of the maker is used now; null: its books are. */
    notUsed: string | null;
    /** Why its last snapshot or book is not in the market; null: it is, or this instance has seen none. */
    lastProblem: string | null;
    /** How many books it has in the market. */
    total: number;
    /** At most 200, the most recently received first. A book has the levels that the balance of the maker covers, at most 5 on each side. */
    books: readonly AdminSchemas["MakerBook"][];
  };
  MakerBreaker: {
    /** `off`: no missed swap suspends the maker. `closed`: it trades. `suspended`: its missed swaps took it out of the market. */
    state: "off" | "closed" | "suspended";
    /** Swaps within the window since the last suspension. */
    swaps: number;
    /** Those of them that were filled. */
    filled: number;
    /** How many swaps in a row, missed from now on, bring the fill rate below the threshold; null: none do, or it is suspended. */
    missesLeft: number | null;
    /** Milliseconds: older swaps do not count. */
    windowMs: number;
    /** With fewer swaps in the window, the fill rate is not judged. */
    minimumSwaps: number;
    /** A fill rate below it counts as too low. */
    thresholdPercent: number;
    /** How long a suspension lasts. */
    suspensionMs: number;
    suspendedUntil: number | null;
  };
  MakerInterval: {
    /** Unix milliseconds of its beginning. */
    at: number;
    considered: number;
    won: number;
    /** Fills of these orders that it was offered. */
    offered: number;
    /** Those of them that landed. */
    filled: number;
  };
  MakerStatistics: {
    /** The id of the maker. */
    maker: string;
    /** Unix milliseconds. */
    since: number;
    /** Unix milliseconds. */
    until: number;
    /** False: only the newest 20000 orders of the range were added up; ask for a shorter one. */
    isComplete: boolean;
    /** Orders for which it was considered. */
    considered: number;
    won: number;
    lost: readonly AdminSchemas["LostOrders"][];
    /** Orders lost by the price, by how much better the order was for the taker, before fees, each class without the ones before. 0: the price was not worse, so the costs of the network or the room in the transaction decided. */
    behind: readonly AdminSchemas["OrdersBehind"][];
    /** Orders lost by the price of which that is not known. */
    behindUnknown: number;
    /** Orders lost by the price, by who was better: `pools` without a maker, or another maker, by its `stream` or its `webhook`. */
    lostTo: readonly AdminSchemas["OrdersLostTo"][];
    /** States as in `GET /market-making/v1/orders`. */
    fills: readonly AdminSchemas["FillsInState"][];
    /** From the offer to the answer; null without an answer. */
    lastLook: AdminSchemas["LastLook"] | null;
    /** Answers by the time from the offer, each class without the ones before. */
    lastLookTimes: readonly AdminSchemas["LastLookTime"][];
    /** Offered fills by the answer: `signed` by a stream; `accepted` or `rejected` by a webhook; `unanswered` at the end; `tampered`: another message was returned. */
    answers: AdminSchemas["MakerStatisticsAnswers"];
    /** Milliseconds of each interval of `overTime`. */
    interval: number;
    /** Intervals by when orders were given out, without those in which there were none, oldest first. */
    overTime: readonly AdminSchemas["MakerInterval"][];
    /** Of the fills that landed; at most 256 mints on each side. */
    volume: readonly AdminSchemas["MintVolume"][];
    /** Their value in millionths of a US dollar. */
    microDollars: string;
  };
  MakerStatisticsAnswers: {
    signed: number;
    accepted: number;
    rejected: number;
    unanswered: number;
    tampered: number;
  };
  MakerStatusChange: {
    /** Unix milliseconds. */
    at: number;
    from: "prod" | "offline" | "suspended";
    to: "prod" | "offline" | "suspended";
    /** Why the status changed, as a sentence. */
    cause: string;
  };
  MakerWebhookBreaker: {
    /** `off`: no missed swap suspends the maker. `closed`: it trades. `suspended`: its missed swaps took it out of the market. */
    state: "off" | "closed" | "suspended";
    /** Swaps within the window since the last suspension. */
    swaps: number;
    /** Those of them that were filled. */
    filled: number;
    /** How many swaps in a row, missed from now on, bring the fill rate below the threshold; null: none do, or it is suspended. */
    missesLeft: number | null;
    /** Milliseconds: older swaps do not count. */
    windowMs: number;
    /** With fewer swaps in the window, the fill rate is not judged. */
    minimumSwaps: number;
    /** A fill rate below it counts as too low. */
    thresholdPercent: number;
    /** How long it is not asked after its first missed swap, its second, and so on; filled swaps make up for missed ones. */
    suspensionsMs: readonly number[];
    suspendedUntil: number | null;
  };
  MintVolume: {
    mint: string;
    /** Atoms, in decimal digits. */
    paid: string;
    /** Atoms, in decimal digits. */
    received: string;
  };
  Operation: {
    instance: AdminSchemas["OperationInstance"];
    /** Whether every part works that must. */
    works: boolean;
    parts: readonly AdminSchemas["OperationPartsItem"][];
    /** Parts that came and went, the newest first, at most 100. */
    changes: readonly AdminSchemas["OperationChangesItem"][];
    stores: readonly AdminSchemas["OperationStoresItem"][];
    nodes: readonly AdminSchemas["OperationNodesItem"][];
    streams: readonly AdminSchemas["OperationStreamsItem"][];
    queues: readonly AdminSchemas["OperationQueuesItem"][];
    wallets: readonly AdminSchemas["OperationWalletsItem"][];
    reserves: readonly AdminSchemas["OperationReservesItem"][];
    /** Landings of the last hour of all instances on one database; null: the database has not said. */
    landings: AdminSchemas["OperationLandings"] | null;
  };
  OperationChangesItem: {
    part: string;
    /** Unix milliseconds. When it was noticed. */
    at: number;
    /** Why the part stopped working; null: it works again. */
    reason: string | null;
  };
  OperationInstance: {
    /** The name of this instance. Everything else in the answer is about it alone. */
    name: string;
    version: string;
    /** Unix milliseconds. The start of the process. */
    startedAt: number;
    /** Unix milliseconds. The clock of this instance. */
    now: number;
    network: "embedded" | "rpc";
    /** Whether it fills orders that wait. */
    isKeeper: boolean;
    /** Whether it shares its work with others through Valkey. */
    isShared: boolean;
  };
  OperationLandings: {
    /** Unix milliseconds. Landings that were accepted from then on are counted. */
    since: number;
    outcomes: readonly AdminSchemas["OperationLandingsOutcomesItem"][];
    /** Unix milliseconds. When they were counted. */
    readAt: number;
  };
  OperationLandingsOutcomesItem: {
    /** As of the landings, or `under-way`. */
    outcome: string;
    count: number;
  };
  OperationNodesItem: {
    /** Unique within its list. */
    name: string;
    /** The host alone: the rest of the URL may hold a key. */
    host: string;
    /** What it is and what happens when it fails or is full, in full sentences. */
    meaning: string;
    /** The slots that this instance knows from it; null for a node that is only sent to. */
    slots: AdminSchemas["OperationNodesItemSlots"] | null;
    /** Null: calls to it are not counted. */
    calls: AdminSchemas["OperationNodesItemCalls"] | null;
    /** Null: it has none. */
    webSocket: AdminSchemas["OperationNodesItemWebSocket"] | null;
  };
  OperationNodesItemCalls: {
    /** Since the start, repeats included. */
    sent: number;
    /** Without an answer, or with one that could not be used. */
    failed: number;
    /** Calls that wait for their turn. */
    waiting: number;
    /** Null: none has failed. */
    lastFailure: AdminSchemas["OperationNodesItemCallsLastFailure"] | null;
    /** Until when the node has asked not to be called, in Unix milliseconds. */
    pausedUntil: number | null;
  };
  OperationNodesItemCallsLastFailure: {
    /** Unix milliseconds. When it failed. */
    at: number;
    reason: string;
  };
  OperationNodesItemSlots: {
    processed: string;
    confirmed: string;
    finalized: string;
    /** How long ago the newest blockhash was received. */
    blockhashAgeMs: number | null;
  };
  OperationNodesItemWebSocket: {
    isUp: boolean;
    /** Unix milliseconds. Since when it is up or down. */
    since: number;
    /** Why it is down. */
    reason: string | null;
  };
  OperationPartsItem: {
    /** Unique within its list. */
    name: string;
    works: boolean;
    /** Whether the instance is ready without it. */
    optional: boolean;
    /** Why it does not work; null while it works. */
    reason: string | null;
    /** Unix milliseconds. Since when it works or does not, as far as this process has seen. */
    since: number;
    /** Unix milliseconds. When it was last checked. */
    checkedAt: number;
    /** Milliseconds that the last check took. */
    tookMs: number;
    /** The section of the documentation that says what to do. */
    runbook: string;
  };
  OperationQueuesItem: {
    /** Unique within its list. */
    name: string;
    /** What it is and what happens when it fails or is full, in full sentences. */
    meaning: string;
    waiting: number;
    /** The most that may wait; null: something else bounds it. */
    limit: number | null;
    /** Lost or refused since the start; null: nothing of it is ever lost. */
    lost: number | null;
  };
  OperationReservesItem: {
    /** Unique within its list. */
    name: string;
    /** What it is and what happens when it fails or is full, in full sentences. */
    meaning: string;
    /** Millionths of a US dollar; null: not known yet. */
    microDollars: string | null;
  };
  OperationStoresItem: {
    /** Unique within its list. */
    name: string;
    kind: "SQLite" | "PostgreSQL" | "Valkey";
    /** The part that says whether it works. */
    part: string;
    /** What it is and what happens when it fails or is full, in full sentences. */
    meaning: string;
    /** Its size; null if it does not say. */
    bytes: number | null;
    /** How long it took to say so, in microseconds; null if it did not answer. */
    latencyMicros: number | null;
    /** When it answered last, in Unix milliseconds; null if it has not. */
    readAt: number | null;
  };
  OperationStreamsItem: {
    /** Unique within its list. */
    name: string;
    /** What it is and what happens when it fails or is full, in full sentences. */
    meaning: string;
    open: number;
    /** The most that may be open; null: their number has no limit. */
    limit: number | null;
  };
  OperationWalletsItem: {
    /** One wallet may pay for several things. */
    names: readonly string[];
    address: string;
    /** What it is and what happens when it fails or is full, in full sentences. */
    meaning: string;
    /** Null: the network has not said yet. */
    lamports: string | null;
    /** For how many seconds its lamports last at the pace of its budgets; null: nothing was spent, or the pace is not known. */
    lastsSeconds: string | null;
    budgets: readonly AdminSchemas["OperationWalletsItemBudgetsItem"][];
  };
  OperationWalletsItemBudgetsItem: {
    /** Unique within its list. */
    name: string;
    /** `hour`: the last 60 minutes; `day`: since midnight UTC. */
    window: "hour" | "day";
    /** Null: the store has not said. */
    spent: string | null;
    /** Lamports. The most within the window. */
    limit: string;
    /** Null: there is none. */
    limitOfOne: string | null;
    /** Null: it is not known apart. */
    held: string | null;
    /** What happens at the limit, in full sentences. */
    atLimit: string;
    /** When the store has said so, in Unix milliseconds. */
    readAt: number | null;
  };
  OrdersBehind: {
    /** Basis points of the order that won; null: more than all others. */
    upToBps: number | null;
    orders: number;
  };
  OrdersLostTo: {
    winner: "pools" | "stream" | "webhook";
    orders: number;
  };
  PatchAdminV1MakersMakerRequest: {
    /** What the operator calls the maker, up to 64 characters; null: it has no name. */
    name?: string | null;
    /** Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair. */
    pairs?: readonly string[] | null;
    /** Base URL of the webhook, which keeps its key and its statistics; null: the maker is not asked. */
    webhook?: string | null;
    /** The key that the webhook wants as `x-api-key`; null: it wants none. */
    webhookKey?: string | null;
  };
  PatchAdminV1OrganisationsOrganisationMembersMemberRequest: {
    /** One of owner, admin, member. */
    role: string;
  };
  PatchAdminV1OrganisationsOrganisationMembersMemberResponse: {
    name: string;
    role: string;
    /** Unix milliseconds. */
    createdAt: number;
    /** When the token expires, in Unix milliseconds; null: never. */
    tokenExpiresAt: number | null;
    /** When the token was last used, to the minute, in Unix milliseconds; null: never. */
    tokenLastUsedAt: number | null;
  };
  PatchAdminV1OrganisationsOrganisationRequest: {
    /** One of free, developer, launch, pro. */
    plan: string;
  };
  PatchAdminV1OrganisationsOrganisationTeamsTeamKeysKeyRequest: {
    /** 1 to 64 characters, unique in its team. */
    name?: string;
    /** Names of products; null: all. An unknown name is refused with the list of the known ones. */
    products?: readonly string[] | null;
    expiresAt?: number | null;
  };
  PatchAdminV1OrganisationsOrganisationTeamsTeamRulesRuleRequest: {
    /** True when absent. A disabled rule counts towards the 50 too. */
    enabled?: boolean;
    /** The rule matches if all conditions of one group hold. Without groups it always matches. */
    groups?: readonly (readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemGroupsItemItem"][])[];
    action?: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemAction"];
  };
  PatchAdminV1PlansPlanRequest: {
    main?: number;
    execute?: number;
    submit?: number;
  };
  PostAdminV1InvitationsAcceptRequest: {
    token: string;
    /** When the member's token expires, in Unix milliseconds; when absent, as late as the setting `member-token-days` allows. */
    expiresAt?: number;
  };
  PostAdminV1InvitationsAcceptResponse: {
    organisation: string;
    name: string;
    role: string;
    /** The member’s token for the admin interface, shown once. */
    token: string;
    /** When the token expires, in Unix milliseconds; null: never. */
    tokenExpiresAt: number | null;
  };
  PostAdminV1MakersRequest: {
    /** 1 to 64 letters, digits, dots, hyphens and underscores. */
    id: string;
    /** Signs fills and owns the inventory, base58. */
    address: string;
    /** What the operator calls the maker, up to 64 characters; null: it has no name. */
    name?: string | null;
    /** Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair. */
    pairs?: readonly string[] | null;
    /** Base URL of the webhook at which the maker is asked for quotes. */
    webhook?: string;
    /** The key that the webhook wants as `x-api-key`. */
    webhookKey?: string;
  };
  PostAdminV1MakersResponse: {
    id: string;
    /** What the operator calls the maker, up to 64 characters; null: it has no name. */
    name: string | null;
    address: string;
    /** Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair. */
    pairs: readonly string[] | null;
    enabled: boolean;
    status: "prod" | "offline" | "suspended";
    /** Why the maker may not quote, even if its swap stream is live; null: it may. */
    blockedBy: string | null;
    /** Why it gets no orders now, over its streams or by its webhook; null: it can get some. */
    noOrders: string | null;
    /** Whether its swap stream is live; null: the instance that knows does not answer. */
    connected: boolean | null;
    /** The instance it is connected to; null: to none, or there is only one instance. */
    instance: string | null;
    /** Whether it returned a modified swap and has not been reinstated since. */
    tampered: boolean;
    suspendedUntil: number | null;
    /** The sequence number of the last accepted snapshot, a u64. */
    lastSequenceNumber: string;
    /** The webhook of the maker; null: it has none. */
    webhook: AdminSchemas["GetAdminV1MakersResponseMakersItemWebhook"] | null;
    /** The key for `x-api-key`, shown once. */
    key: string;
  };
  PostAdminV1NetworkAccountsRequest: {
    accounts: readonly AdminSchemas["PostAdminV1NetworkAccountsRequestAccountsItem"][];
  };
  PostAdminV1NetworkAccountsRequestAccountsItem: {
    /** A Solana address. */
    address: string;
    account: null | AdminSchemas["PostAdminV1NetworkAccountsRequestAccountsItemAccount"];
  };
  PostAdminV1NetworkAccountsRequestAccountsItemAccount: {
    /** A whole number, as text. */
    lamports: string;
    /** A Solana address. */
    owner: string;
    /** Base64. */
    data: string;
  };
  PostAdminV1NetworkAccountsResponse: {
    /** A whole number, as text. */
    slot: string;
  };
  PostAdminV1NetworkClockRequest: {
    /** Empty slots to pass; 0 when absent. */
    slots?: number;
    /** Seconds by which the chain’s clock moves; 0 when absent. */
    seconds?: number;
  };
  PostAdminV1NetworkClockResponse: {
    /** A whole number, as text. */
    slot: string;
    /** Unix seconds. */
    unixTimestamp: string;
    /** What the clock keeps from working, as a sentence. Absent while nothing is. */
    notice?: string;
  };
  PostAdminV1NetworkFaucetRequest: {
    /** A Solana address. */
    wallet: string;
    /** A Solana address. */
    mint: string;
    /** A whole number, as text. */
    amount: string;
  };
  PostAdminV1NetworkFaucetResponse: {
    signature: string;
    /** A Solana address. */
    account: string;
  };
  PostAdminV1NetworkFaultsNextRequest: {
    /** `drop`: accepted, and never lands. `delay`: the first attempt to land is later. `fail`: lands, pays its fee, and fails. */
    effect: "drop" | "delay" | "fail";
    /** Transactions that are struck; 1 when absent. */
    count?: number;
    /** A Solana address. */
    wallet?: string;
    /** A Solana address. */
    program?: string;
    /** Slots of a delay; 10 when absent. */
    slots?: number;
    /** The custom error of a failure, in the first instruction; 1 when absent. */
    code?: number;
  };
  PostAdminV1NetworkFaultsRequestsRequest: {
    /** As clients ask for it, without a query; with `*` at its end, every path that begins so. */
    path: string;
    /** Answered in place of the product, as the gateway answers it otherwise. */
    status?: 429 | 500 | 502 | 503 | 504;
    delayMs?: number;
    /** Requests that are struck; 1 when absent. */
    count?: number;
  };
  PostAdminV1NetworkFaultsRpcRequest: {
    /** Such as `sendTransaction`; `*` is every method. */
    method: string;
    /** The HTTP status of the answer to the whole request, of which no call is made. */
    status?: 429 | 500 | 502 | 503 | 504;
    /** The code of the JSON-RPC error with which the call is answered, without being made. */
    code?: number;
    delayMs?: number;
    /** Calls that are struck; 1 when absent. */
    count?: number;
  };
  PostAdminV1NetworkMakersMakerCheckRequest: {
    /** How long the maker has for each swap that it must not sign; default 10. */
    waitSeconds?: number;
    /** Whether the streams of the maker or its webhook is checked; default: the webhook, if it has one and does not stream. */
    kind?: "streams" | "webhook";
  };
  PostAdminV1NetworkMakersMakerCheckResponse: {
    maker: string;
    /** Whether the check is still running; more findings may follow. */
    running: boolean;
    /** Whether the check is over, and every situation passed. */
    passed: boolean;
    /** One for each finished situation, in order. */
    findings: readonly AdminSchemas["PostAdminV1NetworkMakersMakerCheckResponseFindingsItem"][];
    /** Whether its streams were checked or its webhook. */
    kind: "streams" | "webhook";
    /** Unix milliseconds. */
    startedAt: number;
    /** Null while the check is running. */
    endedAt: number | null;
    /** All situations of the check, in order. */
    situations: readonly AdminSchemas["PostAdminV1NetworkMakersMakerCheckResponseSituationsItem"][];
  };
  PostAdminV1NetworkMakersMakerCheckResponseFindingsItem: {
    situation: "connection" | "quotes" | "fill" | "refuses a better price" | "refuses expired terms" | "refuses more than was quoted" | "refuses an instruction that takes from its address" | "refuses an instruction that takes from its token account" | "refuses a fill outside the aggregator" | "refuses other token accounts in its place" | "expiry" | "reconnect" | "back-pressure" | "tokens" | "quote of an exact input" | "quote of an exact output" | "no quote of an unknown token" | "swap" | "rejection" | "rejection for lack of balance" | "rejection of a signature" | "refuses to pay for an account" | "refuses a quote that is not its own" | "malformed requests" | "key";
    outcome: "passed" | "failed" | "skipped";
    detail: string;
  };
  PostAdminV1NetworkMakersMakerCheckResponseSituationsItem: {
    situation: "connection" | "quotes" | "fill" | "refuses a better price" | "refuses expired terms" | "refuses more than was quoted" | "refuses an instruction that takes from its address" | "refuses an instruction that takes from its token account" | "refuses a fill outside the aggregator" | "refuses other token accounts in its place" | "expiry" | "reconnect" | "back-pressure" | "tokens" | "quote of an exact input" | "quote of an exact output" | "no quote of an unknown token" | "swap" | "rejection" | "rejection for lack of balance" | "rejection of a signature" | "refuses to pay for an account" | "refuses a quote that is not its own" | "malformed requests" | "key";
    /** When the maker passes it, as a sentence. */
    meaning: string;
    /** `missing`: the check ended before this situation. */
    outcome: "passed" | "failed" | "skipped" | "running" | "waiting" | "missing";
    /** What was observed; null before the end of the situation. */
    detail: string | null;
  };
  PostAdminV1NetworkSnapshotsRequest: {
    /** Lowercase letters, digits and hyphens, at most 64. */
    name: string;
  };
  PostAdminV1NetworkWalletsNameSignRequest: {
    /** A transaction in base64, of which the wallet is a signer. */
    transaction: string;
  };
  PostAdminV1NetworkWalletsNameSignResponse: {
    /** The transaction in base64 with the signature of the wallet, beside those that it had. */
    transaction: string;
    /** The signature of the wallet. */
    signature: string;
  };
  PostAdminV1OrganisationsOrganisationInvitationsRequest: {
    /** An e-mail address, or a name in lowercase letters. */
    name: string;
    /** One of owner, admin, member. */
    role: string;
  };
  PostAdminV1OrganisationsOrganisationInvitationsResponse: {
    name: string;
    role: string;
    /** Unix milliseconds. */
    createdAt: number;
    /** Unix milliseconds. */
    expiresAt: number;
    /** Shown once. */
    token: string;
  };
  PostAdminV1OrganisationsOrganisationMembersMemberTokenRequest: {
    /** When the member's token expires, in Unix milliseconds; when absent, as late as the setting `member-token-days` allows. */
    expiresAt?: number;
  };
  PostAdminV1OrganisationsOrganisationMembersMemberTokenResponse: {
    /** Shown once. */
    token: string;
    /** When the token expires, in Unix milliseconds; null: never. */
    tokenExpiresAt: number | null;
  };
  PostAdminV1OrganisationsOrganisationTeamsRequest: {
    /** Lowercase letters, digits and hyphens, at most 48. */
    slug: string;
  };
  PostAdminV1OrganisationsOrganisationTeamsResponse: {
    slug: string;
    /** Unix milliseconds. */
    createdAt: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewRequest: {
    /** The rule that is tried, as if it were switched on. None when absent. */
    rule?: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewRequestRule"];
    /** The name of a rule that `rule` takes the place of, with its age; without `rule`, one that would be switched off. */
    replaces?: string;
    /** Unix milliseconds; 24 hours ago when absent. */
    since?: number;
    /** How many requests are looked at, the newest; 5000 when absent. */
    limit?: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewRequestRule: {
    /** The rule matches if all conditions of one group hold. Without groups it always matches. */
    groups?: readonly (readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemGroupsItemItem"][])[];
    action: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemAction"];
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponse: {
    /** Unix milliseconds. */
    since: number;
    /** Unix milliseconds. */
    until: number;
    /** Requests that the rules were tried with. */
    considered: number;
    /** When the oldest of them was answered; null without requests. */
    oldest: number | null;
    /** Whether older requests of the range were not looked at. */
    isCut: boolean;
    /** Requests that never came to the firewall, because their key may not use the product. */
    refusedBefore: number;
    stopped: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseStopped"];
    /** Requests that the firewall stopped and would let through. */
    letThrough: number;
    /** Requests that were refused, and would be stopped by the firewall. */
    stillStopped: number;
    /** Requests for which nothing changes. */
    unchanged: number;
    unknown: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseUnknown"];
    /** Until then rate limits may have counted requests that were not looked at, and more may have been stopped; null: they have counted all. */
    limitsOpenUntil: number | null;
    /** Requests from the address that asks for the preview. */
    own: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseOwn"];
    /** The rules that were tried together, the oldest first. */
    rules: readonly AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseRulesItem"][];
    /** What the requests that passed and would be stopped have in common. */
    top: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseTop"];
    /** What changes first, then what is unknown, then what the tried rule matches; the newest first, 100 at most. */
    samples: readonly AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseSamplesItem"][];
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseOwn: {
    client: string;
    /** Requests from there. */
    considered: number;
    /** Of these, those that passed and would be stopped. */
    stopped: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseRulesItem: {
    /** Empty for the tried rule, unless it takes the place of another. */
    name: string;
    /** Whether it is the tried rule. */
    isTried: boolean;
    /** The rule as a sentence. */
    expression: string;
    /** Requests that it matches. */
    matched: number;
    /** Further requests of which the log cannot tell. */
    mayMatch: number;
    /** Requests that it decides. */
    decided: number;
    /** Further requests that it may decide. */
    mayDecide: number;
    /** Requests that passed and that it would stop. */
    stopped: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseSamplesItem: {
    /** Unix milliseconds. */
    at: number;
    requestId: string;
    method: string;
    path: string;
    /** Its name; its id if it was deleted since. */
    key: string;
    /** An IPv4 address or an IPv6 /64 network. */
    client: string;
    /** Null: the country is unknown. */
    country: string | null;
    /** What happened to the request, as in the request log. */
    decision: string;
    /** One of stopped, let-through, unknown, still-stopped, none. */
    change: string;
    /** Null: the log cannot tell. */
    effect: string | null;
    /** The rule that decides, an empty name for the rule that is tried; null: none does. */
    rule: string | null;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseStopped: {
    /** Requests that passed and would be stopped. */
    requests: number;
    /** Of these, those that the tried rule stops. */
    byRule: number;
    /** Further requests that passed and that the tried rule may stop: the log cannot tell. */
    mayBeByRule: number;
    /** Of these, those that a rate limit stops, with 429. */
    byLimit: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseTop: {
    paths: readonly AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseTopPathsItem"][];
    keys: readonly AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseTopPathsItem"][];
    clients: readonly AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseTopPathsItem"][];
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseTopPathsItem: {
    name: string;
    requests: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseUnknown: {
    /** Requests that the tried rule may concern, and of which the log cannot tell what would happen. */
    requests: number;
    reasons: readonly AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseUnknownReasonsItem"][];
    /** The rules with the conditions that the log leaves open; an empty name for the tried rule. */
    rules: readonly string[];
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallPreviewResponseUnknownReasonsItem: {
    /** One of header, key, ip, path for a condition on what the log does not keep, or `limit` for the count of a rate limit. */
    reason: string;
    requests: number;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallTestRequest: {
    /** As a client would send it. */
    path: string;
    /** GET when absent. */
    method?: string;
    /** A key's name; one that no rule names when absent. */
    key?: string;
    /** Unknown when absent. */
    ip?: string;
    /** Unknown when absent. */
    country?: string;
    headers?: Readonly<Record<string, string>>;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallTestResponse: {
    /** Names of the rules that match, the oldest first. */
    matched: readonly string[];
    decided: AdminSchemas["PostAdminV1OrganisationsOrganisationTeamsTeamFirewallTestResponseDecided"] | null;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamFirewallTestResponseDecided: {
    name: string;
    action: string;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamKeysRequest: {
    /** 1 to 64 characters, unique in its team. */
    name: string;
    /** Names of products; null: all. An unknown name is refused with the list of the known ones. */
    products?: readonly string[] | null;
    expiresAt?: number | null;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamKeysResponse: {
    name: string;
    /** The first and last characters of the key; null: they were not stored when it was created. */
    excerpt: string | null;
    /** Names of products; null: all. An unknown name is refused with the list of the known ones. */
    products: readonly string[] | null;
    expiresAt: number | null;
    lastUsedAt: number | null;
    /** Unix milliseconds. */
    createdAt: number;
    /** The key itself, shown once. */
    key: string;
  };
  PostAdminV1OrganisationsOrganisationTeamsTeamRulesRequest: {
    /** 1 to 64 characters, unique in its team. */
    name: string;
    /** True when absent. A disabled rule counts towards the 50 too. */
    enabled?: boolean;
    /** The rule matches if all conditions of one group hold. Without groups it always matches. */
    groups?: readonly (readonly AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemGroupsItemItem"][])[];
    action: AdminSchemas["GetAdminV1OrganisationsOrganisationTeamsTeamRulesResponseRulesItemAction"];
  };
  PostAdminV1OrganisationsRequest: {
    /** Lowercase letters, digits and hyphens, at most 48. */
    slug: string;
    /** One of free, developer, launch, pro. */
    plan: string;
  };
  PostAdminV1OrganisationsResponse: {
    slug: string;
    plan: string;
    /** Unix milliseconds. */
    createdAt: number;
    teams: readonly string[];
    usage: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemUsage"];
    credits?: AdminSchemas["GetAdminV1OrganisationsResponseOrganisationsItemCredits"];
  };
  PostAdminV1PredictionEventsEventScoreRequest: {
    /** The id of the game. Absent: as before, at first the id of the event. */
    gameId?: string;
    /** The league. Null: nothing. Absent: as before. */
    leagueAbbreviation?: string | null;
    /** The team that is at home. Null: nothing. Absent: as before. */
    homeTeam?: string | null;
    /** The other team. Null: nothing. Absent: as before. */
    awayTeam?: string | null;
    /** Such as `2-1`. Null: nothing. Absent: as before. */
    score?: string | null;
    /** Such as `2H`. Null: nothing. Absent: as before. */
    period?: string | null;
    /** How long the period has lasted, such as `63:10`. Null: nothing. Absent: as before. */
    elapsed?: string | null;
    /** In words, such as `halftime`. Null: nothing. Absent: as before. */
    status?: string | null;
    /** Whether the game has begun and ended. Absent: as before, at first `live`. */
    state?: "upcoming" | "live" | "ended";
  };
  PostAdminV1PredictionEventsEventScoreResponse: {
    eventId: string;
    gameId: string;
    leagueAbbreviation: string | null;
    homeTeam: string | null;
    awayTeam: string | null;
    score: string | null;
    period: string | null;
    elapsed: string | null;
    status: string | null;
    state: "upcoming" | "live" | "ended";
    finishedAt: number | null;
    /** Unix seconds. */
    updatedAt: number;
  };
  PostAdminV1PredictionEventsRequest: {
    /** Letters, digits, points, underscores and hyphens. Absent: drawn. */
    eventId?: string;
    /** The subject of its markets. */
    title: string;
    /** More about the subject. */
    subtitle?: string;
    /** A name for links. Absent: made from the title. */
    slug?: string;
    /** The series that it belongs to. */
    series?: string;
    category: "crypto" | "sports" | "politics" | "esports" | "culture" | "economics" | "tech";
    /** A subject within the category. */
    subcategory?: string;
    tags?: readonly string[];
    imageUrl?: string;
    /** Unix seconds, a time such as `2027-01-31T00:00:00Z`, or how long from now by the clock of the network, such as `90m`, `24h` or `7d`. */
    beginAt?: number | string;
    /** Unix seconds, a time such as `2027-01-31T00:00:00Z`, or how long from now by the clock of the network, such as `90m`, `24h` or `7d`. */
    closeAt: number | string;
    /** When it closes, in words. */
    closeCondition?: string;
    markets: readonly AdminSchemas["PostAdminV1PredictionEventsRequestMarketsItem"][];
  };
  PostAdminV1PredictionEventsRequestMarketsItem: {
    /** Letters, digits, points, underscores and hyphens. Absent: drawn. */
    marketId?: string;
    /** The question, which is answered by yes or no. */
    title: string;
    /** What decides it. */
    rulesPrimary?: string;
    /** What decides it in special cases. */
    rulesSecondary?: string;
    /** Unix seconds, a time such as `2027-01-31T00:00:00Z`, or how long from now by the clock of the network, such as `90m`, `24h` or `7d`. */
    openAt?: number | string;
    /** Unix seconds, a time such as `2027-01-31T00:00:00Z`, or how long from now by the clock of the network, such as `90m`, `24h` or `7d`. */
    closeAt?: number | string;
    /** The fee in basis points of contracts × price × (1 - price). Absent: 700. */
    feeBps?: number;
    /** What the house offers. The vault has to cover its worst loss. Absent: 100 contracts from 50 cents. */
    house?: AdminSchemas["PostAdminV1PredictionEventsRequestMarketsItemHouse"];
  };
  PostAdminV1PredictionEventsRequestMarketsItemHouse: {
    /** The price of yes at which the house begins, in cents. */
    startCents: number;
    /** How many contracts the house offers at each cent, in steps of 0.01. 0: the house offers nothing. */
    contractsPerCent: number;
  };
  PostAdminV1PredictionMarketsMarketResolveRequest: {
    /** The side that has won. */
    result: "yes" | "no";
  };
  PostAdminV1SessionRequest: {
    /** The operator’s credential, or a member’s token. */
    credential: string;
    /** Who uses the operator’s credential, as the audit log names them: `operator (ann)`. A member’s token has a name. */
    name?: string;
  };
  PostAdminV1SessionResponse: {
    /** `operator`, `operator (name)` in a session under a name, or organisation/member. */
    who: string;
    /** `operator`, or the member’s role. */
    standing: string;
    /** The slug of the member’s organisation; null: the operator, who may access all. */
    organisation: string | null;
    /** The teams that the member belongs to. The operator belongs to none. */
    teams: readonly string[];
    rights: readonly string[];
    /** When the session ends however much it is used, in Unix milliseconds; null: the request has a credential of its own. */
    expiresAt: number | null;
    /** Shown once. Each request of the session sends it in the header `x-sluice-session`. */
    pageToken: string;
  };
  PostAdminV1VaultsRotateResponse: {
    /** Names the master key that the keys are put under. It tells nothing of the key. */
    masterId: string;
    /** Keys that this call has put under it. */
    rotated: number;
    /** Keys that are under another one. Call again until it is 0. */
    left: number;
  };
  PutAdminV1NetworkFaultsRequest: {
    /** Seed of the random numbers. */
    seed?: number;
    /** Probability that an attempt to land a transaction is lost. */
    drop?: number;
    /** Slots before the first attempt to land a transaction. */
    delaySlots?: number;
    /** Maximum of further slots, chosen at random. */
    reorderSlots?: number;
    /** Micro-lamports per compute unit, as text. Above 0, recent priority fees are reported as at least this, and a transaction that pays less waits until the congestion ends or its blockhash expires. */
    congestion?: string;
    /** Slots that reads lag behind. */
    staleReads?: number;
  };
  PutAdminV1NetworkPriceFollowerRequest: {
    following: boolean;
  };
  PutAdminV1NetworkPriceFollowerResponse: {
    /** Whether the pools follow the prices of the feeds. */
    following: boolean;
    /** Swaps that brought the pools to the present prices. */
    trades: number;
  };
  PutAdminV1NetworkPricesSymbolRequest: {
    /** A decimal number, as text. */
    price: string;
  };
  PutAdminV1NetworkPricesSymbolWalkRequest: {
    /** Standard deviation of the price within an hour, in percent. */
    deviation: number;
    /** What the price gains in an hour, in percent; negative when it falls. */
    drift?: number;
    /** The length of a step by the clock of the network. */
    seconds?: number;
    /** A whole number, as text. */
    seed?: string;
  };
  PutAdminV1TokensMintRequest: {
    /** `listed` leaves it to the list of known tokens. A banned token is never answered. */
    level: "verified" | "unverified" | "banned" | "listed";
    /** Further tags, such as `lst` or `stocks`. */
    tags?: readonly string[];
  };
  Readiness: {
    ready: boolean;
    parts: Readonly<Record<string, string>>;
  };
}
