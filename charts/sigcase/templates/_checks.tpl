{{/* Checks that the schema cannot express: values that depend on each other. */}}
{{- define "sigcase.checks" -}}
{{- $redis := .Values.redis -}}
{{- if and $redis.trial.enabled $redis.address.secretName -}}
{{- fail "redis.trial.enabled and redis.address.secretName exclude each other: set one of them" -}}
{{- end -}}
{{- if not (or $redis.trial.enabled $redis.address.secretName) -}}
{{- fail "redis.address.secretName is required: the Secret with the URL of Redis (or redis.trial.enabled, for trials)" -}}
{{- end -}}
{{- $s3 := .Values.s3 -}}
{{- if and $s3.bucket .Values.googleCloud.bucket -}}
{{- fail "s3.bucket and googleCloud.bucket exclude each other: set one of them" -}}
{{- end -}}
{{- if not (or $s3.bucket .Values.googleCloud.bucket) -}}
{{- fail "googleCloud.bucket is required, or s3.bucket: documents need an object store" -}}
{{- end -}}
{{- if $s3.bucket -}}
{{- range $component := list "api" "controller" "worker" -}}
{{- $file := index $s3.credentials $component -}}
{{- $role := index $s3.webIdentity.roles $component -}}
{{- if eq (empty $file.secretName) (empty $role) -}}
{{- fail (printf "set one of s3.credentials.%s.secretName and s3.webIdentity.roles.%s" $component $component) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $keys := .Values.googleCloud.keys -}}
{{- $vault := .Values.vault -}}
{{- if $vault.address -}}
{{- if or $keys.issuingCa $keys.seal $keys.timeStampAuthority -}}
{{- fail "vault.address and googleCloud.keys exclude each other: set one of them" -}}
{{- end -}}
{{- if not (and $vault.keys.issuingCa $vault.keys.seal $vault.certificatesConfigMapName) -}}
{{- fail "vault.keys.issuingCa, vault.keys.seal and vault.certificatesConfigMapName are required with vault.address" -}}
{{- end -}}
{{- if eq (empty $vault.role) (empty $vault.token.secretName) -}}
{{- fail "set one of vault.role and vault.token.secretName with vault.address" -}}
{{- end -}}
{{- else if not (and $keys.issuingCa $keys.seal $keys.certificatesConfigMapName) -}}
{{- fail "googleCloud.keys.issuingCa, googleCloud.keys.seal and googleCloud.keys.certificatesConfigMapName are required, or vault.address" -}}
{{- end -}}
{{- if and $vault.address (not (or .Values.timeStamps.urls $vault.keys.timeStampAuthority)) -}}
{{- fail "vault.keys.timeStampAuthority is required, or timeStamps.urls: documents need time-stamps" -}}
{{- end -}}
{{- if not (or .Values.timeStamps.urls $keys.timeStampAuthority $vault.address) -}}
{{- fail "googleCloud.keys.timeStampAuthority is required, or timeStamps.urls: documents need time-stamps" -}}
{{- end -}}
{{- if and .Values.timeStamps.urls (not .Values.timeStamps.rootsConfigMapName) -}}
{{- fail "timeStamps.rootsConfigMapName is required with timeStamps.urls: the root certificates that tokens must chain to" -}}
{{- end -}}
{{- if and .Values.trustedLists.url (not .Values.trustedLists.anchorsConfigMapName) -}}
{{- fail "trustedLists.anchorsConfigMapName is required with trustedLists.url: the certificates that sign the list" -}}
{{- end -}}
{{- if and .Values.console.oidc.issuer (not .Values.console.oidc.clientId) -}}
{{- fail "console.oidc.clientId is required with console.oidc.issuer" -}}
{{- end -}}
{{- if and .Values.sms.token.secretName (not .Values.sms.address.secretName) -}}
{{- fail "sms.address.secretName is required with sms.token.secretName" -}}
{{- end -}}
{{- $hook := .Values.googleCloud.lifecycleHook -}}
{{- if and $hook.enabled (not $hook.serviceAccountName) -}}
{{- fail "googleCloud.lifecycleHook.serviceAccountName is required with googleCloud.lifecycleHook.enabled: a ServiceAccount that may update the bucket" -}}
{{- end -}}
{{- if and .Values.gateway.enabled (not .Values.gateway.create) (not .Values.gateway.parentRefs) -}}
{{- fail "gateway.parentRefs is required with gateway.enabled, or gateway.create to create a Gateway" -}}
{{- end -}}
{{- if and .Values.gateway.create (not (and .Values.gateway.enabled .Values.gateway.className)) -}}
{{- fail "gateway.create requires gateway.enabled and gateway.className" -}}
{{- end -}}
{{- if and $redis.trial.enabled $redis.authoritiesConfigMapName -}}
{{- fail "redis.authoritiesConfigMapName is not for redis.trial, which has no TLS" -}}
{{- end -}}
{{- $index := .Values.index -}}
{{- if ne (empty $index.api.secretName) (empty $index.controller.secretName) -}}
{{- fail "index.api.secretName and index.controller.secretName are set together: the controller makes the tables" -}}
{{- end -}}
{{- if and $index.authoritiesConfigMapName (not $index.api.secretName) -}}
{{- fail "index.authoritiesConfigMapName requires index.api.secretName" -}}
{{- end -}}
{{- if and .Values.googleCloud.loadBalancer.enabled (not (or .Values.ingress.enabled .Values.gateway.enabled)) -}}
{{- fail "googleCloud.loadBalancer.enabled requires ingress.enabled or gateway.enabled" -}}
{{- end -}}
{{- $api := .Values.api -}}
{{- if lt (int $api.terminationGracePeriodSeconds) (add 35 (int $api.shutdownDelaySeconds)) -}}
{{- fail "api.terminationGracePeriodSeconds must be at least 35 above api.shutdownDelaySeconds: a request may take 25 seconds" -}}
{{- end -}}
{{- range $component := list "api" "controller" "worker" -}}
{{- range $name, $_ := include "sigcase.labels" (list $ $component) | fromYaml -}}
{{- if hasKey (index $.Values $component).podLabels $name -}}
{{- fail (printf "%s.podLabels: %s is a label of the chart" $component $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $component := list "api" "worker" -}}
{{- $autoscaling := (index $.Values $component).autoscaling -}}
{{- if gt (int $autoscaling.minReplicas) (int $autoscaling.maxReplicas) -}}
{{- fail (printf "%s.autoscaling.minReplicas is above maxReplicas" $component) -}}
{{- end -}}
{{- end -}}
{{- end }}
