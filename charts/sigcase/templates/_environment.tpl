{{- define "sigcase.apiPort" -}}8080{{- end }}
{{- define "sigcase.operationPort" -}}9090{{- end }}

{{/* Path of the socket of the reader container beside a worker. */}}
{{- define "sigcase.readerFolder" -}}/run/sigcase-reader{{- end }}
{{- define "sigcase.readerSocket" -}}{{ include "sigcase.readerFolder" . }}/reader.sock{{- end }}

{{/* Environment variables of all components, without secrets. */}}
{{- define "sigcase.environment" -}}
{{- $values := dict
  "BASE_URL" .Values.baseUrl
  "HOST" "::"
  "OPERATIONS_PORT" (include "sigcase.operationPort" .)
  "LOG_LEVEL" .Values.logLevel
  "KEYRING_FOLDER" "/etc/sigcase/keyring"
-}}
{{- with .Values.googleCloud.bucket }}
{{- $_ := set $values "GCS_BUCKET" . }}
{{- end }}
{{- with .Values.s3 }}
{{- if .bucket }}
{{- $_ := set $values "S3_BUCKET" .bucket }}
{{- $_ := set $values "S3_REGION" .region }}
{{- $_ := set $values "S3_ADDRESSING" .addressing }}
{{- with .endpoint }}
{{- $_ := set $values "S3_ENDPOINT" . }}
{{- end }}
{{- with .publicEndpoint }}
{{- $_ := set $values "S3_PUBLIC_ENDPOINT" . }}
{{- end }}
{{- if .authoritiesConfigMapName }}
{{- $_ := set $values "S3_CA_FILE" "/etc/sigcase/s3/ca.pem" }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.redis.authoritiesConfigMapName }}
{{- $_ := set $values "REDIS_CA_FILE" "/etc/sigcase/redis/ca.pem" }}
{{- end }}
{{- with .Values.googleCloud.storageEndpoint }}
{{- $_ := set $values "GCS_ENDPOINT" . }}
{{- end }}
{{- with .Values.tracing }}
{{- if .endpoint }}
{{- $_ := set $values "OTEL_EXPORTER_OTLP_ENDPOINT" .endpoint }}
{{- $_ := set $values "OTEL_TRACES_SAMPLER_ARG" (printf "%.9f" (float64 .share)) }}
{{- end }}
{{- end }}
{{- if .Values.redis.trial.enabled }}
{{- $_ := set $values "REDIS_URL" "redis://sigcase-redis:6379" }}
{{- end }}
{{- toYaml $values }}
{{- end }}

{{/* A variable whose value is a member of a Secret. Takes (list variable secretName key). */}}
{{- define "sigcase.secretVariable" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 | quote }}
{{- end }}

{{/*
Drain time of a process in milliseconds. It ends 5 seconds before the kubelet kills the pod. There is no preStop
hook: the process itself accepts requests for a while after SIGTERM. Takes (list root component).
*/}}
{{- define "sigcase.shutdownGraceMs" -}}
{{- $values := index (index . 0).Values (index . 1) -}}
{{- $delay := int (dig "shutdownDelaySeconds" 0 $values) -}}
{{- mul 1000 (sub (int $values.terminationGracePeriodSeconds) (add $delay 5)) -}}
{{- end }}

{{/* Plain variables of one component, as JSON. Takes (list root component). */}}
{{- define "sigcase.plainVariables" -}}
{{- $values := (index . 0).Values -}}
{{- $component := index . 1 -}}
{{- $plain := dict "SHUTDOWN_GRACE_MS" (include "sigcase.shutdownGraceMs" .) -}}
{{- if (index $values.googleCloud.credentials $component).secretName }}
{{- $_ := set $plain "GOOGLE_APPLICATION_CREDENTIALS" "/etc/sigcase/google/credentials.json" }}
{{- end }}
{{- if $values.s3.bucket }}
{{- if (index $values.s3.credentials $component).secretName }}
{{- $_ := set $plain "AWS_SHARED_CREDENTIALS_FILE" "/etc/sigcase/s3-credentials/credentials" }}
{{- else }}
{{- $_ := set $plain "AWS_ROLE_ARN" (index $values.s3.webIdentity.roles $component) }}
{{- $_ := set $plain "AWS_WEB_IDENTITY_TOKEN_FILE" "/etc/sigcase/s3-token/token" }}
{{- $_ := set $plain "S3_STS_ENDPOINT" $values.s3.webIdentity.endpoint }}
{{- end }}
{{- end }}
{{- if and (ne $component "worker") $values.index.authoritiesConfigMapName }}
{{- $_ := set $plain "INDEX_CA_FILE" "/etc/sigcase/index/ca.pem" }}
{{- end }}
{{- if eq $component "api" }}
{{- $_ := set $plain "PORT" (include "sigcase.apiPort" (index . 0)) }}
{{- $_ := set $plain "SHUTDOWN_DELAY_MS" (printf "%d" (mul 1000 (int $values.api.shutdownDelaySeconds))) }}
{{- $_ := set $plain "TRUSTED_PROXIES" (join "," $values.limits.trustedProxies) }}
{{- $_ := set $plain "PUBLIC_REQUESTS_PER_MINUTE" (printf "%d" (int $values.limits.publicRequestsPerMinute)) }}
{{- $_ := set $plain "TENANT_REQUESTS_PER_MINUTE" (printf "%d" (int $values.limits.tenantRequestsPerMinute)) }}
{{- $_ := set $plain "TENANT_CASES_PER_DAY" (printf "%d" (int $values.limits.tenantCasesPerDay)) }}
{{- $_ := set $plain "TENANT_DEVICES_PER_DAY" (printf "%d" (int $values.limits.tenantDevicesPerDay)) }}
{{- $_ := set $plain "TENANT_SMS_PER_DAY" (printf "%d" (int $values.limits.tenantSmsPerDay)) }}
{{- $_ := set $plain "VERIFICATION_UPLOADS_PER_HOUR" (printf "%d" (int $values.limits.verificationUploadsPerHour)) }}
{{- $_ := set $plain "VERIFICATION_MEGABYTES_PER_HOUR" (printf "%d" (int $values.limits.verificationMegabytesPerHour)) }}
{{- $_ := set $plain "ALL_VERIFICATION_UPLOADS_PER_HOUR" (printf "%d" (int $values.limits.allVerificationUploadsPerHour)) }}
{{- $_ := set $plain "ALL_VERIFICATION_MEGABYTES_PER_HOUR" (printf "%d" (int $values.limits.allVerificationMegabytesPerHour)) }}
{{- $_ := set $plain "PUBSUB_PUSH_ACCOUNT" $values.googleCloud.uploadNotifications.serviceAccount }}
{{- with $values.console.oidc }}
{{- if .issuer }}
{{- $_ := set $plain "CONSOLE_OIDC_ISSUER" .issuer }}
{{- $_ := set $plain "CONSOLE_OIDC_CLIENT_ID" .clientId }}
{{- $_ := set $plain "CONSOLE_OIDC_SCOPE" .scope }}
{{- $_ := set $plain "CONSOLE_OIDC_TOKEN" .token }}
{{- $_ := set $plain "CONSOLE_OIDC_TOKEN_ORIGIN" .tokenOrigin }}
{{- end }}
{{- end }}
{{- end }}
{{- if eq $component "controller" }}
{{- $_ := set $plain "CONTROLLER_SHARD_GROUPS" (printf "%d" (int $values.controller.shardGroups)) }}
{{- end }}
{{- if ne $component "worker" }}
{{- $_ := set $plain "PUBSUB_PUSH_AUDIENCE" $values.googleCloud.uploadNotifications.audience }}
{{- end }}
{{- if ne $component "controller" }}
{{- $_ := set $plain "TENANT_MAILS_PER_DAY" (printf "%d" (int $values.limits.tenantMailsPerDay)) }}
{{- $_ := set $plain "EGRESS_ALLOW" (join "," $values.limits.egressAllow) }}
{{- $_ := set $plain "SMTP_URL" $values.mail.server }}
{{- $_ := set $plain "SMTP_FROM" $values.mail.from }}
{{- $_ := set $plain "EGRESS_ALLOW" (join "," $values.limits.egressAllow) }}
{{- if $values.mail.authoritiesConfigMapName }}
{{- $_ := set $plain "SMTP_CA_FILE" "/etc/sigcase/mail/ca.pem" }}
{{- end }}
{{- end }}
{{- if eq $component "worker" }}
{{- with $values.vault }}
{{- if .address }}
{{- $_ := set $plain "VAULT_ADDR" .address }}
{{- $_ := set $plain "VAULT_NAMESPACE" .namespace }}
{{- $_ := set $plain "VAULT_TRANSIT_MOUNT" .transitMount }}
{{- $_ := set $plain "VAULT_ROLE" .role }}
{{- if .role }}
{{- $_ := set $plain "VAULT_AUTH_MOUNT" .authMount }}
{{- else }}
{{- $_ := set $plain "VAULT_TOKEN_FILE" "/etc/sigcase/vault-token/token" }}
{{- end }}
{{- if .authoritiesConfigMapName }}
{{- $_ := set $plain "VAULT_CA_FILE" "/etc/sigcase/vault/ca.pem" }}
{{- end }}
{{- $_ := set $plain "VAULT_RSA_PADDING" .rsaPadding }}
{{- $_ := set $plain "VAULT_ISSUING_CA_KEY" .keys.issuingCa }}
{{- $_ := set $plain "VAULT_SEAL_KEY" .keys.seal }}
{{- $_ := set $plain "VAULT_FORMER_ISSUING_CA_KEY" .keys.formerIssuingCa }}
{{- $_ := set $plain "VAULT_TSA_KEY" .keys.timeStampAuthority }}
{{- end }}
{{- end }}
{{- $keys := $values.googleCloud.keys }}
{{- $_ := set $plain "KMS_ISSUING_CA_KEY" $keys.issuingCa }}
{{- $_ := set $plain "KMS_SEAL_KEY" $keys.seal }}
{{- $_ := set $plain "KMS_FORMER_ISSUING_CA_KEY" $keys.formerIssuingCa }}
{{- $_ := set $plain "KMS_TSA_KEY" $keys.timeStampAuthority }}
{{- $_ := set $plain "KMS_CERTIFICATES" "/etc/sigcase/certificates" }}
{{- $_ := set $plain "KMS_ENDPOINT" $keys.endpoint }}
{{- $_ := set $plain "READER_SOCKET" (include "sigcase.readerSocket" .) }}
{{- with $values.timeStamps }}
{{- if .urls }}
{{- $_ := set $plain "TSA_URLS" (join "," .urls) }}
{{- $_ := set $plain "TSA_ROOTS" "/etc/sigcase/time-stamps/roots.pem" }}
{{- $_ := set $plain "TSA_POLICY" .policy }}
{{- end }}
{{- end }}
{{- with $values.trustedLists }}
{{- if .url }}
{{- $_ := set $plain "TRUSTED_LISTS" .url }}
{{- $_ := set $plain "TRUSTED_LISTS_ANCHORS" "/etc/sigcase/trusted-lists" }}
{{- $_ := set $plain "TRUSTED_LISTS_PUBLICATION" .publication }}
{{- end }}
{{- end }}
{{- end }}
{{- toJson $plain }}
{{- end }}

{{/* `env` of one component, without the operator's variables. Takes (list root component). */}}
{{- define "sigcase.chartVariables" -}}
{{- $values := (index . 0).Values -}}
{{- $component := index . 1 -}}
- name: POD_NAMESPACE
  valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
- name: POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
{{- with $values.redis.address.secretName }}
{{ include "sigcase.secretVariable" (list "REDIS_URL" . $values.redis.address.key) }}
{{- end }}
{{- with index $values.index $component }}
{{- if .secretName }}
{{ include "sigcase.secretVariable" (list "INDEX_URL" .secretName .key) }}
{{- end }}
{{- end }}
{{- if ne $component "controller" }}
{{- with $values.mail.credentials.secretName }}
{{ include "sigcase.secretVariable" (list "SMTP_USER" . $values.mail.credentials.userKey) }}
{{ include "sigcase.secretVariable" (list "SMTP_PASSWORD" . $values.mail.credentials.passwordKey) }}
{{- end }}
{{- end }}
{{- if eq $component "api" }}
{{- with $values.sms.address.secretName }}
{{ include "sigcase.secretVariable" (list "SMS_GATEWAY_URL" . $values.sms.address.key) }}
{{- end }}
{{- with $values.sms.token.secretName }}
{{ include "sigcase.secretVariable" (list "SMS_GATEWAY_TOKEN" . $values.sms.token.key) }}
{{- end }}
{{- end }}
{{- range $name, $value := include "sigcase.plainVariables" . | fromJson }}
{{- if $value }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/*
`env` of one component. A variable of the operator replaces the one of the chart: server-side apply refuses a list
with the same name twice. Takes (list root component).
*/}}
{{- define "sigcase.componentEnvironment" -}}
{{- $own := (index (index . 0).Values (index . 1)).environment -}}
{{- $variables := list -}}
{{- range (printf "env:\n%s" (include "sigcase.chartVariables" .) | fromYaml).env }}
{{- if not (hasKey $own .name) }}
{{- $variables = append $variables . }}
{{- end }}
{{- end }}
{{- range $name, $value := $own }}
{{- $variables = append $variables (dict "name" $name "value" $value) }}
{{- end }}
{{- toYaml $variables }}
{{- end }}

{{/*
Arguments of Deno, as JSON, with the permissions of a worker. It reads only the variables that the chart
sets. It may connect anywhere, because receivers of tenants may be anywhere; the process checks each address.
Another container parses documents behind a socket, which a client must be allowed to read and write. A worker
may not start programs: it could start Deno with all permissions. Takes the root.
*/}}
{{- define "sigcase.denoArguments" -}}
{{- $variables := list "KUBERNETES_SERVICE_HOST" "KUBERNETES_SERVICE_PORT" -}}
{{- range $name, $_ := include "sigcase.environment" . | fromYaml }}
{{- $variables = append $variables $name }}
{{- end }}
{{- $environment := printf "env:\n%s" (include "sigcase.componentEnvironment" (list . "worker")) | fromYaml -}}
{{- range $environment.env }}
{{- $variables = append $variables .name }}
{{- end }}
{{- $readable := list "/app" "/etc/sigcase" "/tmp" "/run/secrets" "/var/run/secrets" (include "sigcase.readerSocket" .) -}}
{{- range .Values.worker.extraVolumeMounts }}
{{- $readable = append $readable .mountPath }}
{{- end }}
{{- list
  "run"
  "--quiet"
  "--no-prompt"
  "--no-remote"
  "--cached-only"
  "--node-modules-dir=manual"
  (printf "--allow-env=%s" (join "," ($variables | uniq | sortAlpha)))
  "--ignore-env"
  (printf "--allow-read=%s" (join "," $readable))
  (printf "--allow-write=/tmp,%s" (include "sigcase.readerSocket" .))
  "--allow-net"
  "--allow-sys=hostname"
  "runtime/dist/worker.js"
| toJson }}
{{- end }}

{{/*
Mounted files of a component, as JSON: mount paths and sources. Takes (list root component).
*/}}
{{- define "sigcase.files" -}}
{{- $values := (index . 0).Values -}}
{{- $component := index . 1 -}}
{{- /* One Secret for each set of keys, and only those of the component. */ -}}
{{- $sources := list -}}
{{- range $set := index ((index . 0).Files.Get "files/keyring.json" | fromJson) $component }}
{{- $items := list (dict "key" $values.keyring.key "path" (printf "%s.json" $set)) }}
{{- $sources = append $sources (dict "secret" (dict "name" (printf "%s-%s" $values.keyring.secretNamePrefix $set) "items" $items)) }}
{{- end }}
{{- $keyring := dict "defaultMode" 288 "sources" $sources -}}
{{- $files := dict "keyring" (dict "path" "/etc/sigcase/keyring" "source" (dict "projected" $keyring)) -}}
{{- with index $values.googleCloud.credentials $component }}
{{- if .secretName }}
{{- $secret := dict "secretName" .secretName "items" (list (dict "key" .key "path" "credentials.json")) "defaultMode" 288 }}
{{- $_ := set $files "google" (dict "path" "/etc/sigcase/google" "source" (dict "secret" $secret)) }}
{{- end }}
{{- end }}
{{- if $values.s3.bucket }}
{{- with index $values.s3.credentials $component }}
{{- if .secretName }}
{{- $secret := dict "secretName" .secretName "items" (list (dict "key" .key "path" "credentials")) "defaultMode" 288 }}
{{- $_ := set $files "s3-credentials" (dict "path" "/etc/sigcase/s3-credentials" "source" (dict "secret" $secret)) }}
{{- else }}
{{- $token := dict "serviceAccountToken" (dict "path" "token" "audience" $values.s3.webIdentity.audience "expirationSeconds" 3607) }}
{{- $projected := dict "defaultMode" 288 "sources" (list $token) }}
{{- $_ := set $files "s3-token" (dict "path" "/etc/sigcase/s3-token" "source" (dict "projected" $projected)) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq $component "worker") $values.vault.address }}
{{- with $values.vault.token }}
{{- if .secretName }}
{{- $secret := dict "secretName" .secretName "items" (list (dict "key" .key "path" "token")) "defaultMode" 288 }}
{{- $_ := set $files "vault-token" (dict "path" "/etc/sigcase/vault-token" "source" (dict "secret" $secret)) }}
{{- end }}
{{- end }}
{{- end }}
{{- $public := dict "redis" $values.redis.authoritiesConfigMapName -}}
{{- if $values.s3.bucket }}
{{- $_ := set $public "s3" $values.s3.authoritiesConfigMapName }}
{{- end }}
{{- if ne $component "worker" }}
{{- $_ := set $public "index" $values.index.authoritiesConfigMapName }}
{{- end }}
{{- if ne $component "controller" }}
{{- $_ := set $public "mail" $values.mail.authoritiesConfigMapName }}
{{- end }}
{{- if eq $component "worker" }}
{{- $_ := set $public "certificates" (or $values.vault.certificatesConfigMapName $values.googleCloud.keys.certificatesConfigMapName) }}
{{- if $values.vault.address }}
{{- $_ := set $public "vault" $values.vault.authoritiesConfigMapName }}
{{- end }}
{{- $_ := set $public "time-stamps" $values.timeStamps.rootsConfigMapName }}
{{- $_ := set $public "trusted-lists" $values.trustedLists.anchorsConfigMapName }}
{{- end }}
{{- range $name, $configMap := $public }}
{{- if $configMap }}
{{- $_ := set $files $name (dict "path" (printf "/etc/sigcase/%s" $name) "source" (dict "configMap" (dict "name" $configMap))) }}
{{- end }}
{{- end }}
{{- toJson $files }}
{{- end }}

{{- define "sigcase.mounts" -}}
- name: temporary
  mountPath: /tmp
{{- range $name, $file := include "sigcase.files" . | fromJson }}
- name: {{ $name }}
  mountPath: {{ $file.path }}
  readOnly: true
{{- end }}
{{- if eq (index . 1) "worker" }}
- name: reader
  mountPath: {{ include "sigcase.readerFolder" (index . 0) }}
- name: account
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end }}
{{- end }}

{{- define "sigcase.volumes" -}}
- name: temporary
  emptyDir:
    sizeLimit: 1Gi
{{- range $name, $file := include "sigcase.files" . | fromJson }}
- name: {{ $name }}
  {{- toYaml $file.source | nindent 2 }}
{{- end }}
{{- if eq (index . 1) "worker" }}
- name: reader
  emptyDir:
    sizeLimit: 1Mi
- name: reader-temporary
  emptyDir:
    sizeLimit: 256Mi
{{- /* The token of the account, for the worker's container alone: the reader has no account. */}}
- name: account
  projected:
    defaultMode: 288
    sources:
      - serviceAccountToken:
          path: token
          expirationSeconds: 3607
      - configMap:
          name: kube-root-ca.crt
          items:
            - key: ca.crt
              path: ca.crt
      - downwardAPI:
          items:
            - path: namespace
              fieldRef: { fieldPath: metadata.namespace }
{{- end }}
{{- end }}
