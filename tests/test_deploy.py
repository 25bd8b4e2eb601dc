"""What deploy/ holds fits the program: settings, probes, hardening, the hosts of the data, metrics."""

from __future__ import annotations

import json
import re
import runpy
from importlib.metadata import version
from itertools import chain
from typing import Any

import pytest
import yaml

from bot import metrics
from bot.cli import app
from bot.discord.settings import DiscordSettings
from bot.settings import Settings
from bot.slack.settings import SlackSettings
from tests.conftest import ROOT

DEPLOY = ROOT / "deploy"
BESIDE = {"SMALLPRINT_KNOWLEDGE"}  # read by the floor below, which has no settings class


def documents(pattern: str) -> list[dict[str, Any]]:
    """The YAML documents of the files that fit."""
    files = sorted(DEPLOY.glob(pattern))
    assert files
    return [one for file in files for one in yaml.safe_load_all(file.read_text("utf-8")) if one]


def kind(name: str) -> list[dict[str, Any]]:
    """The Kubernetes objects of a kind."""
    return [one for one in documents("kubernetes/base/*.yaml") if one.get("kind") == name]


def named_settings() -> set[str]:
    """Every environment variable that the program reads."""
    fields = chain.from_iterable(
        one.model_fields.values() for one in (Settings, SlackSettings, DiscordSettings)
    )
    return {str(field.validation_alias) for field in fields} | BESIDE


def test_every_setting_that_is_named_exists() -> None:
    files = [
        path
        for path in DEPLOY.rglob("*")
        if path.is_file() and path.suffix in {"", ".yaml", ".service", ".md"}
    ]
    found = {name for path in files for name in re.findall(r"SMALLPRINT_[A-Z_]+", path.read_text("utf-8"))}
    assert found
    assert found <= named_settings()


def test_probes_and_commands_exist() -> None:
    commands = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]
    assert {"run", "healthy"} <= commands
    (pods,) = kind("StatefulSet")
    (container,) = pods["spec"]["template"]["spec"]["containers"]
    paths = {
        container[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert paths == {"/healthz", "/readyz"}
    assert container["args"] == ["run"]


def test_a_replica_keeps_its_name() -> None:
    (pods,) = kind("StatefulSet")
    (container,) = pods["spec"]["template"]["spec"]["containers"]
    (name,) = [entry for entry in container["env"] if entry["name"] == "SMALLPRINT_EXECUTOR"]
    assert name["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"
    (scaled,) = documents("docker/compose.scaled.yaml")
    replicas = [scaled["services"][name] for name in ("one", "two", "three")]
    executors = {replica["environment"]["SMALLPRINT_EXECUTOR"] for replica in replicas}
    assert executors == {"one", "two", "three"}


def test_pods_are_hardened() -> None:
    for pods in [*kind("StatefulSet"), *kind("Deployment")]:
        spec = pods["spec"]["template"]["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
        for container in spec["containers"]:
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"] is True
            assert context["allowPrivilegeEscalation"] is False
            assert context["capabilities"]["drop"] == ["ALL"]


def test_nothing_leaves_but_by_the_proxy() -> None:
    policies = {one["metadata"]["name"]: one["spec"] for one in kind("NetworkPolicy")}
    ours = policies["smallprint"]
    assert set(ours["policyTypes"]) == {"Ingress", "Egress"}
    assert not [to for rule in ours["egress"] for to in rule["to"] if "ipBlock" in to]
    (outside,) = [
        rule for rule in policies["egress-proxy"]["egress"] if any("ipBlock" in to for to in rule["to"])
    ]
    refused = {cidr for to in outside["to"] for cidr in to["ipBlock"]["except"]}
    assert {"10.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7"} <= refused


def test_the_proxys_hosts_are_those_of_the_data() -> None:
    made = runpy.run_path(str(DEPLOY / "hosts.py"))["text"]()
    assert (DEPLOY / "kubernetes" / "base" / "hosts.txt").read_text("utf-8") == made


@pytest.mark.parametrize("name", ["compose.yaml", "compose.scaled.yaml"])
def test_containers_are_hardened(name: str) -> None:
    (compose,) = documents(f"docker/{name}")
    ours = [one for one in compose["services"].values() if one.get("image") == "smallprint"]
    assert ours
    for service in ours:
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["stop_grace_period"] == "30s"


def test_the_image_does_not_run_as_root() -> None:
    lines = (DEPLOY / "docker" / "Dockerfile").read_text("utf-8").splitlines()
    assert "USER 10001:10001" in lines
    assert sum(line.startswith("FROM ") for line in lines) == 2
    assert any('smallprint", "healthy' in line for line in lines)
    copied = {part for line in lines if line.startswith("COPY ") for part in line.split()[1:-1]}
    assert {"parsing", "knowledge", "bot", "pyproject.toml", "constraints.txt"} <= copied


def test_the_unit_is_hardened() -> None:
    unit = (DEPLOY / "systemd" / "smallprint.service").read_text("utf-8").splitlines()
    for line in ("DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet="):
        assert line in unit


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "smallprint.json").read_text("utf-8"))
    told = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    alerts = (DEPLOY / "grafana" / "alerts.yaml").read_text("utf-8")
    endings = r"_(?:total|bucket|sum|count|created)$"
    used = {re.sub(endings, "", name) for name in re.findall(r"smallprint_\w+", f"{told} {alerts}")}
    ours = {family.name for family in metrics.REGISTRY.collect()}
    assert used == ours


def test_every_file_is_known() -> None:
    (overlay,) = documents("kubernetes/base/kustomization.yaml")
    base = DEPLOY / "kubernetes" / "base"
    named = {*overlay["resources"], "kustomization.yaml"}
    named |= {entry.partition("=")[2] for one in overlay["configMapGenerator"] for entry in one["files"]}
    assert named == {path.name for path in base.iterdir()}


def test_the_bill_of_materials_names_what_is_installed() -> None:
    made = runpy.run_path(str(DEPLOY / "sbom.py"))["bill"]()
    versions = {one["name"]: one["version"] for one in made["components"]}
    assert versions["spacy"] == version("spacy")
    assert {"slack-bolt", "discord-py", "dbos", "lxml-html-clean"} <= set(versions)
    assert all(one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}" for one in made["components"])
