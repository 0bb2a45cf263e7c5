"""The calls that the stand-in leaves to the official CLI."""

# ruff: noqa: N802, ARG002 - gRPC names the methods and their arguments

from __future__ import annotations

from typing import NoReturn

import grpc
from pulumi.runtime.proto import language_pb2 as pb
from pulumi.runtime.proto.language_pb2_grpc import LanguageRuntimeServicer


def official(context: grpc.ServicerContext, what: str) -> NoReturn:
    """Answers UNIMPLEMENTED, with the one sentence that says where `what` is done."""
    context.abort(
        grpc.StatusCode.UNIMPLEMENTED,
        f"{what} is not done by this stand-in for the Python language host: the official Pulumi CLI does it.",
    )
    raise AssertionError  # abort raises


class LeftOut(LanguageRuntimeServicer):
    """Templates, code generation and packing: no stack needs them to be previewed or brought up."""

    def Template(self, request: pb.TemplateRequest, context: grpc.ServicerContext) -> NoReturn:
        """Not served."""
        official(context, "Finishing a project template")

    def GenerateProgram(self, request: pb.GenerateProgramRequest, context: grpc.ServicerContext) -> NoReturn:
        """Not served."""
        official(context, "Generating a program")

    def GenerateProject(self, request: pb.GenerateProjectRequest, context: grpc.ServicerContext) -> NoReturn:
        """Not served."""
        official(context, "Generating a project")

    def GeneratePackage(self, request: pb.GeneratePackageRequest, context: grpc.ServicerContext) -> NoReturn:
        """Not served."""
        official(context, "Generating an SDK")

    def Pack(self, request: pb.PackRequest, context: grpc.ServicerContext) -> NoReturn:
        """Not served."""
        official(context, "Packing an SDK")

    def Link(self, request: pb.LinkRequest, context: grpc.ServicerContext) -> NoReturn:
        """Not served."""
        official(context, "Linking a package")
